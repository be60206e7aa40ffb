package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** The simplified API. */
class ContextIT extends BrokerTestBase {
    private JMSContext context(int mode) {
        return closedLater(factory("").createContext(mode));
    }

    private JMSContext context() {
        return closedLater(factory("").createContext());
    }

    @Test
    @Spec("JMS 3.1 ConnectionFactory.createContext")
    void shouldMakeContextsOfAllModes() {
        assertThat(context().getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
        for (int mode :
                List.of(
                        JMSContext.AUTO_ACKNOWLEDGE,
                        JMSContext.CLIENT_ACKNOWLEDGE,
                        JMSContext.DUPS_OK_ACKNOWLEDGE,
                        JMSContext.SESSION_TRANSACTED)) {
            JMSContext context = context(mode);
            assertThat(context.getSessionMode()).isEqualTo(mode);
            assertThat(context.getTransacted()).isEqualTo(mode == Session.SESSION_TRANSACTED);
        }
        assertThatThrownBy(() -> context(17)).isInstanceOf(JMSRuntimeException.class);
        assertThat(context().getMetaData()).isNotNull();
    }

    @Test
    @Spec("JMS 3.1 JMSContext.createConsumer: starts the connection, unless autoStart is off")
    void shouldStartWithTheFirstConsumerUnlessToldNotTo() {
        Queue queue = newQueue();
        JMSContext context = context();
        assertThat(context.getAutoStart()).isTrue();
        context.createProducer().send(queue, "a").send(queue, "b");
        assertThat(context.createConsumer(queue).receiveBody(String.class, PATIENCE_MS))
                .isEqualTo("a");
        context.close();
        JMSContext manual = context();
        manual.setAutoStart(false);
        JMSConsumer consumer = manual.createConsumer(queue);
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(consumer.receive(50)).isNull();
        manual.start();
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("b");
        manual.stop();
    }

    @Test
    @Spec("JMS 3.1 JMSContext.createContext: shares the connection, which closes with the last")
    void shouldShareAConnectionBetweenContexts() throws Exception {
        Queue queue = newQueue();
        JMSContext first = context();
        JMSContext second = first.createContext(JMSContext.SESSION_TRANSACTED);
        Queue temporary = first.createTemporaryQueue();
        JMSConsumer consumer = second.createConsumer(temporary);
        first.close();
        assertThatThrownBy(() -> first.createContext(JMSContext.AUTO_ACKNOWLEDGE))
                .isInstanceOf(IllegalStateRuntimeException.class);
        second.createProducer().send(queue, "a").send(temporary, "t");
        second.commit();
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("t");
        second.rollback();
        second.close();
        second.close();
        assertThat(drain(queue)).containsExactly("a#1");
        awaitNoClientThreads();
    }

    @Test
    @Spec("JMS 3.1 JMSProducer: settings, properties and headers")
    void shouldSendWithTheProducersSettings() throws Exception {
        Queue queue = newQueue();
        Topic replies = newTopic();
        JMSContext context = context();
        JMSProducer producer =
                context.createProducer()
                        .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                        .setPriority(8)
                        .setTimeToLive(70_000)
                        .setJMSType("type")
                        .setJMSCorrelationID("id")
                        .setJMSReplyTo(replies)
                        .setProperty("int", 5)
                        .setProperty("string", "s")
                        .setProperty("object", (Object) 7L);
        producer.send(queue, context.createMessage());
        Message message = context.createConsumer(queue).receive(PATIENCE_MS);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(message.getJMSPriority()).isEqualTo(8);
        assertThat(message.getJMSExpiration() - message.getJMSTimestamp()).isEqualTo(70_000);
        assertThat(message.getJMSType()).isEqualTo("type");
        assertThat(message.getJMSCorrelationID()).isEqualTo("id");
        assertThat(message.getJMSReplyTo()).isEqualTo(replies);
        assertThat(message.getIntProperty("int")).isEqualTo(5);
        assertThat(message.getStringProperty("string")).isEqualTo("s");
        assertThat(message.getLongProperty("object")).isEqualTo(7);
    }

    @Test
    @Spec("JMS 3.1 §8.6, JMSConsumer.receiveBody")
    void shouldReceiveBodiesAndKeepWhatHasAnotherType() {
        Queue queue = newQueue();
        JMSContext context = context();
        context.createProducer()
                .send(queue, "text")
                .send(queue, new byte[] {1, 2})
                .send(queue, Map.of("k", 5))
                .send(queue, (java.io.Serializable) Integer.valueOf(9));
        JMSConsumer consumer = context.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(Map.class, PATIENCE_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("text");
        assertThat(consumer.receiveBody(byte[].class)).containsExactly(1, 2);
        Map<?, ?> map = consumer.receiveBody(Map.class);
        assertThat(map.get("k")).isEqualTo(5);
        assertThat(consumer.receiveBodyNoWait(Integer.class)).isEqualTo(9);
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
        context.createProducer().send(queue, context.createMessage());
        assertThatThrownBy(() -> consumer.receiveBody(String.class, PATIENCE_MS))
                .as("no body at all")
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE})
    @Spec("JMS 3.1 JMSConsumer.receiveBody: as if the call had not occurred")
    void shouldDeliverABodyOfAnotherTypeAgainInTheAutomaticModes(int mode) throws Exception {
        Queue queue = newQueue();
        JMSContext context = context(mode);
        context.createProducer().send(queue, "a").send(queue, "b");
        JMSConsumer consumer = context.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(Map.class))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> consumer.receiveBody(Map.class, PATIENCE_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> consumer.receiveBodyNoWait(Map.class))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(described(consumer.receive())).isEqualTo("a#1");
        assertThat(described(consumer.receive())).isEqualTo("b#1");
    }

    @ParameterizedTest
    @ValueSource(ints = {JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED})
    @Spec("JMS 3.1 JMSConsumer.receiveBody: as if the call had been successful")
    void shouldCountABodyOfAnotherTypeAsDeliveredWhereTheApplicationSettles(int mode)
            throws Exception {
        Queue queue = newQueue();
        send(queue, "a", "b");
        JMSContext context = context(mode);
        JMSConsumer consumer = context.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(Map.class))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(described(consumer.receive())).isEqualTo("b#1");
        if (mode == JMSContext.SESSION_TRANSACTED) {
            context.rollback();
        } else {
            context.recover();
        }
        assertThat(described(consumer.receive())).isEqualTo("a#2R");
        assertThat(described(consumer.receive())).isEqualTo("b#2R");
    }

    @Test
    @Spec("JMS 3.1 JMSContext.acknowledge, recover")
    void shouldAcknowledgeAndRecoverWithTheContext() throws Exception {
        Queue queue = newQueue();
        JMSContext context = context(JMSContext.CLIENT_ACKNOWLEDGE);
        context.createProducer().send(queue, "a").send(queue, "b");
        JMSConsumer consumer = context.createConsumer(queue);
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
        context.acknowledge();
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("b");
        context.recover();
        assertThat(described(consumer.receive(PATIENCE_MS))).isEqualTo("b#2R");
        context.close();
        assertThat(drain(queue)).containsExactly("b#3R");
    }

    @Test
    @Spec("JMS 3.1 JMSProducer.setAsync")
    void shouldSendAsynchronously() throws Exception {
        MetaQQueue queue = newQueue();
        JMSContext context = context();
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        context.createProducer()
                .setAsync(
                        new CompletionListener() {
                            @Override
                            public void onCompletion(Message message) {
                                try {
                                    events.add(text(message));
                                    context.close();
                                } catch (IllegalStateRuntimeException e) {
                                    events.add("refused");
                                } catch (JMSException e) {
                                    events.add(e.toString());
                                }
                            }

                            @Override
                            public void onException(Message message, Exception exception) {
                                events.add(exception.toString());
                            }
                        })
                .send(queue, "a");
        assertThat(events.poll(PATIENCE_MS, TimeUnit.MILLISECONDS)).isEqualTo("a");
        assertThat(events.poll(PATIENCE_MS, TimeUnit.MILLISECONDS)).isEqualTo("refused");
        assertThat(drain(queue)).containsExactly("a#1");
    }

    @Test
    @Spec("JMS 3.1 JMSContext: subscriptions")
    void shouldConsumeFromSubscriptionsOfAllKinds() {
        MetaQTopic topic = newTopic();
        JMSContext context = closedLater(factory("").createContext());
        context.setClientID(newName());
        JMSConsumer plain = context.createConsumer(topic);
        JMSConsumer durable = context.createDurableConsumer(topic, "d");
        JMSConsumer shared = context.createSharedConsumer(topic, "s");
        JMSConsumer sharedDurable = context.createSharedDurableConsumer(topic, "sd");
        context.createProducer().send(topic, "a");
        for (JMSConsumer each : List.of(plain, durable, shared, sharedDurable)) {
            assertThat(each.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
        }
        assertThatThrownBy(() -> context.unsubscribe("d")).isInstanceOf(JMSRuntimeException.class);
        durable.close();
        context.unsubscribe("d");
        assertThatThrownBy(() -> context.unsubscribe("d"))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @Test
    @Spec("JMS 3.1 JMSContext: unchecked forms of what goes wrong")
    void shouldThrowTheUncheckedForms() {
        String id = newName();
        closedLater(factory("clientId=" + id).createContext());
        assertThatThrownBy(() -> factory("clientId=" + id).createContext())
                .isInstanceOf(InvalidClientIDRuntimeException.class);
        JMSContext used = context();
        used.createConsumer(newQueue());
        assertThatThrownBy(() -> used.setClientID(newName()))
                .isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(used::commit).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> used.createProducer().send(null, "a"))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
        used.close();
        assertThatThrownBy(used::createMessage).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Spec("JMS 3.1 JMSConsumer.setMessageListener, JMSContext.close from a listener")
    void shouldListenAndRefuseToCloseFromTheListener() throws Exception {
        MetaQQueue queue = newQueue();
        JMSContext context = context();
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        context.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            try {
                                events.add(text(message));
                                context.close();
                            } catch (IllegalStateRuntimeException e) {
                                events.add("refused");
                            } catch (JMSException e) {
                                events.add(e.toString());
                            }
                        });
        send(queue, "a");
        await().until(() -> events.size() == 2);
        assertThat(events).containsExactly("a", "refused");
    }
}
