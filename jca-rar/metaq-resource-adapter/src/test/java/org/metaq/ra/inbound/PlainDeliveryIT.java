package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Message;
import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.InvalidPropertyException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** Deliveries without a transaction, what is subscribed to, and what the container refuses. */
class PlainDeliveryIT extends EndpointTestBase {
    private static FakeBean failingOnce() {
        Map<String, Boolean> seen = new ConcurrentHashMap<>();
        return new FakeBean(
                        message -> {
                            if (seen.put(message.getJMSMessageID(), true) == null) {
                                throw new IllegalStateException("at first");
                            }
                        })
                .notTransacted();
    }

    /** B33. */
    @ParameterizedTest
    @ValueSource(strings = {"Auto-acknowledge", "Dups-ok-acknowledge"})
    void shouldAcknowledgeANormalReturnOnceAndDeliverAFailedMessageAgainOnce(String mode)
            throws Exception {
        MetaQActivationSpec spec = spec(queue);
        spec.setAcknowledgeMode(mode);
        FakeBean bean = activate(failingOnce(), spec);
        send(queue, "a", "b");
        awaitDone(bean, "a#2", "b#2");
        endpoints.deactivate(bean, spec);
        assertThat(bean.deliveries()).isEqualTo(4);
        assertEmpty(queue);
    }

    @Test
    void shouldParkAMessageThatAlwaysFailsWithTheRootCause() throws Exception {
        MetaQQueue parked = newQueue();
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxDeliveries(2);
        spec.setDeadLetterQueue(parked.getQueueName());
        activate(
                new FakeBean(
                                message -> {
                                    throw new IllegalStateException(
                                            "wrapped", new java.io.IOException("disk"));
                                })
                        .notTransacted(),
                spec);
        send(queue, "a");
        Message letter = take(parked, 1).get(0);
        assertThat(letter.getStringProperty("JMS_METAQ_DeadLetterException"))
                .isEqualTo(
                        "java.lang.IllegalStateException: wrapped; caused by java.io.IOException:"
                                + " disk");
    }

    @Test
    void shouldWaitForAnEndpointThatIsNotAvailableYetWithoutCountingDeliveries() throws Exception {
        FakeBean bean = FakeBean.accepting();
        bean.unavailable(2);
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxSessions(1);
        activate(bean, spec);
        send(queue, "a");
        awaitDone(bean, "a#1");
        assertThat(bean.unavailableLeft()).isZero();
    }

    @Test
    void shouldAskAgainWhenTheContainerRejectsItsWork() throws Exception {
        container.rejectWorks(3);
        FakeBean bean = activate(FakeBean.accepting(), spec(queue));
        eventually(() -> assertThat(container.rejectionsLeft()).isZero());
        container.rejectWorks(1);
        send(queue, "a");
        awaitDone(bean, "a#1");
        assertThat(container.rejectionsLeft()).isZero();
    }

    @Test
    void shouldWorkOnAsManyMessagesAtATimeAsThereAreSessions() throws Exception {
        CyclicBarrier all = new CyclicBarrier(8);
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxSessions(8);
        spec.setPrefetch(1);
        FakeBean bean =
                new FakeBean(
                        message -> {
                            try {
                                all.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        activate(bean, spec);
        send(queue, numbers(16));
        eventually(() -> assertThat(bean.done).hasSize(16));
        assertThat(bean.mostUnderWay()).isEqualTo(8);
        assertThat(bean.deliveries()).isEqualTo(16);
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    @Test
    void shouldKeepTheOrderWithOneSession() throws Exception {
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxSessions(1);
        FakeBean bean = activate(FakeBean.accepting(), spec);
        send(queue, numbers(200));
        eventually(() -> assertThat(bean.done).hasSize(200));
        assertThat(bean.done).isEqualTo(numbers(200).stream().map(n -> n + "#1").toList());
    }

    @Test
    void shouldGiveEachEndpointOfATopicAllMessagesOnce() throws Exception {
        MetaQTopic topic = newTopic();
        FakeBean first = activate(FakeBean.accepting(), spec(topic));
        FakeBean second = activate(FakeBean.accepting(), spec(topic));
        awaitRunning(2);
        send(topic, "a", "b");
        awaitDone(first, "a#1", "b#1");
        awaitDone(second, "a#1", "b#1");
    }

    private void awaitRunning(int count) {
        eventually(
                () ->
                        assertThat(endpoints.states())
                                .hasSize(count)
                                .containsOnly(Activation.State.RUNNING));
    }

    @Test
    void shouldSelectMessages() throws Exception {
        MetaQTopic topic = newTopic();
        MetaQActivationSpec spec = spec(topic);
        spec.setMessageSelector("JMSPriority > 4");
        FakeBean bean = activate(FakeBean.accepting(), spec);
        awaitRunning(1);
        send(topic, "low");
        try (var context = factory().createContext()) {
            context.createProducer().setPriority(9).send(topic, "high");
        }
        awaitDone(bean, "high#1");
    }

    /** Two activations as on two servers. */
    @Test
    void shouldShareADurableSubscriptionAndKeepItsMessagesWhileNobodyIsThere() throws Exception {
        MetaQTopic topic = newTopic();
        MetaQActivationSpec spec = spec(topic);
        spec.setSubscriptionDurability("Durable");
        spec.setSubscriptionName("billing");
        spec.setMaxSessions(2);
        spec.setPrefetch(1);
        CountDownLatch both = new CountDownLatch(2);
        FakeBean first = FakeBean.accepting();
        activate(first, spec);
        awaitRunning(1);
        endpoints.deactivate(first, spec);
        send(topic, numbers(20));
        Endpoints otherServer = newAdapter();
        FakeBean second = new FakeBean(meeting(both));
        FakeBean third = new FakeBean(meeting(both));
        activate(second, spec);
        activate(otherServer, third, spec);
        eventually(() -> assertThat(second.done.size() + third.done.size()).isEqualTo(20));
        otherServer.stop();
        assertThat(second.done).isNotEmpty();
        assertThat(third.done).isNotEmpty();
    }

    /** The first message of each bean waits until both have one. */
    private static FakeBean.Body meeting(CountDownLatch both) {
        Map<String, Boolean> isFirst = new ConcurrentHashMap<>();
        return message -> {
            if (isFirst.put("", true) == null) {
                both.countDown();
            }
            try {
                assertThat(both.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    @Test
    void shouldStartANewSubscriptionWhereItIsToldTo() throws Exception {
        MetaQTopic topic = newTopic();
        send(topic, "before");
        MetaQActivationSpec spec = spec(topic);
        spec.setStartFrom("2020-01-01T00:00:00Z");
        FakeBean all = activate(FakeBean.accepting(), spec);
        awaitDone(all, "before#1");
        spec = spec(topic);
        spec.setStartFrom("earliest");
        spec.setSubscriptionDurability("Durable");
        spec.setSubscriptionName("audit");
        FakeBean durable = activate(FakeBean.accepting(), spec);
        awaitDone(durable, "before#1");
        endpoints.deactivate(durable, spec);
        send(topic, "after");
        FakeBean again = activate(FakeBean.accepting(), spec);
        awaitDone(again, "after#1");
    }

    /** B39. */
    @Test
    void shouldWaitUntilNobodyElseHasItsClientId() throws Exception {
        MetaQActivationSpec spec = spec(queue);
        spec.setClientId("billing");
        FakeBean first = activate(FakeBean.accepting(), spec);
        awaitRunning(1);
        Endpoints otherServer = newAdapter();
        FakeBean second = activate(otherServer, FakeBean.accepting(), spec);
        eventually(() -> assertThat(otherServer.lastFailures().get(0)).contains("billing"));
        assertThat(otherServer.states()).containsExactly(Activation.State.CONNECTING);
        endpoints.deactivate(first, spec);
        send(queue, "a");
        awaitDone(second, "a#1");
        otherServer.stop();
    }

    @Test
    void shouldNameTheBeanInWhatIsWrongWithAnActivation() throws Exception {
        MetaQActivationSpec unknown = new MetaQActivationSpec();
        unknown.setDestinationLookup("java:app/nowhere");
        assertThatThrownBy(() -> endpoints.activate(FakeBean.accepting(), unknown))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining(FakeBean.class.getName())
                .hasMessageContaining("orders.war#FakeBean")
                .hasMessageContaining("destinationLookup='java:app/nowhere'");
        assertThatThrownBy(
                        () -> endpoints.activate(FakeBean.accepting(), new MetaQActivationSpec()))
                .isInstanceOf(InvalidPropertyException.class);
        FakeBean bean = activate(FakeBean.accepting(), spec(newQueue()));
        assertThatThrownBy(() -> endpoints.activate(bean, spec(newQueue())))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("is active");
        endpoints.stop();
        assertThatThrownBy(() -> endpoints.activate(FakeBean.accepting(), spec(newQueue())))
                .hasMessageContaining("has stopped");
        assertThatThrownBy(() -> endpoints.activate(FakeBean.accepting(), new OtherSpec()))
                .isInstanceOf(NotSupportedException.class);
    }

    private static final class OtherSpec implements jakarta.resource.spi.ActivationSpec {
        @Override
        public void validate() {}

        @Override
        public jakarta.resource.spi.ResourceAdapter getResourceAdapter() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setResourceAdapter(jakarta.resource.spi.ResourceAdapter adapter) {}
    }
}
