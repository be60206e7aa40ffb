package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.ra.inbound.FakeTransaction.Style;

/** Deliveries in a transaction of the container. */
class TransactedDeliveryIT extends EndpointTestBase {
    /** A bean whose first delivery of each message fails somehow. */
    private static FakeBean failingOnce(FakeBean.Body failure) {
        Map<String, Boolean> seen = new ConcurrentHashMap<>();
        return new FakeBean(
                message -> {
                    if (seen.put(message.getJMSMessageID(), true) == null) {
                        failure.onMessage(message);
                    }
                });
    }

    private static void fail(Message message) {
        throw new IllegalStateException("the database is away");
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_PHASE", "TWO_PHASE"})
    void shouldTakeOutWhatWasCommitted(Style style) throws Exception {
        FakeBean bean = activate(FakeBean.accepting().style(style), spec(queue));
        send(queue, "a", "b", "c");
        awaitDone(bean, "a#1", "b#1", "c#1");
        endpoints.deactivate(bean, spec(queue));
        assertEmpty(queue);
        assertThat(bean.deliveries()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_PHASE", "TWO_PHASE"})
    void shouldDeliverAgainAfterAnException(Style style) throws Exception {
        FakeBean bean = activate(failingOnce(TransactedDeliveryIT::fail).style(style), spec(queue));
        send(queue, "a", "b");
        awaitDone(bean, "a#2", "b#2");
        assertThat(bean.deliveries()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_PHASE", "TWO_PHASE"})
    void shouldDeliverAgainAfterSetRollbackOnly(Style style) throws Exception {
        FakeBean bean =
                activate(failingOnce(m -> FakeBean.setRollbackOnly()).style(style), spec(queue));
        send(queue, "a", "b");
        awaitDone(bean, "a#2", "b#2");
        assertThat(bean.deliveries()).isEqualTo(4);
    }

    @Test
    void shouldDeliverAgainWhenAnotherResourceDidNotPrepare() throws Exception {
        FakeBean bean = FakeBean.accepting().style(Style.ROLLBACK_AFTER_PREPARE);
        activate(bean, spec(queue));
        send(queue, "a");
        eventually(() -> assertThat(bean.deliveries()).isGreaterThanOrEqualTo(2));
        bean.style = Style.TWO_PHASE;
        eventually(() -> assertThat(bean.done).hasSize(1));
        assertThat(bean.done.get(0)).isNotEqualTo("a#1");
    }

    @Test
    void shouldDeliverAgainWhatATimeOutRolledBackWhileTheBeanWasAtWork() throws Exception {
        FakeBean bean =
                activate(
                        failingOnce(
                                message -> {
                                    FakeTransaction late = FakeBean.current();
                                    Thread reaper = new Thread(() -> timeOut(late), "reaper");
                                    reaper.start();
                                    join(reaper);
                                }),
                        spec(queue));
        send(queue, "a", "b");
        awaitDone(bean, "a#2", "b#2");
    }

    private static void timeOut(FakeTransaction transaction) {
        try {
            transaction.timeOut();
        } catch (javax.transaction.xa.XAException e) {
            throw new AssertionError(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** B38: a container that commits although the bean threw. */
    @ParameterizedTest
    @EnumSource(names = {"ONE_PHASE", "TWO_PHASE"})
    void shouldRollBackWhatTheContainerWouldCommitAlthoughTheBeanThrew(Style style)
            throws Exception {
        FakeBean bean = failingOnce(TransactedDeliveryIT::fail).style(style);
        bean.commitsFailures = true;
        activate(bean, spec(queue));
        send(queue, "a");
        awaitDone(bean, "a#2");
    }

    @Test
    void shouldServeAContainerThatBeginsItsTransactionWithinOnMessage() throws Exception {
        FakeBean bean = failingOnce(TransactedDeliveryIT::fail);
        bean.beginsInside = true;
        activate(bean, spec(queue));
        send(queue, "a", "b");
        awaitDone(bean, "a#2", "b#2");
        endpoints.deactivate(bean, spec(queue));
        assertEmpty(queue);
    }

    /** B35: bounded deliveries, with a delay; then the dead letter queue; others keep flowing. */
    @Test
    void shouldParkAMessageThatIsAlwaysRolledBackWithItsCauseWhileOthersFlow() throws Exception {
        MetaQQueue parked = newQueue();
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxDeliveries(3);
        spec.setRedeliveryDelay(50L);
        spec.setDeadLetterQueue(parked.getQueueName());
        FakeBean bean =
                activate(
                        new FakeBean(
                                message -> {
                                    if (message.getBody(String.class).startsWith("bad")) {
                                        FakeBean.setRollbackOnly();
                                    } else if (message.getBody(String.class).equals("worse")) {
                                        fail(message);
                                    }
                                }),
                        spec);
        send(queue, "bad", "worse", "a", "b", "c");
        awaitDone(bean, "a#1", "b#1", "c#1");
        String dead = "";
        for (Message letter : take(parked, 2)) {
            dead +=
                    letter.getBody(String.class)
                            + ":"
                            + letter.getStringProperty("JMS_METAQ_DeadLetterReason")
                            + ":"
                            + letter.getStringProperty("JMS_METAQ_DeadLetterException")
                            + "\n";
        }
        assertThat(dead)
                .contains("bad:MAX_DELIVERIES:the transaction was rolled back\n")
                .contains(
                        "worse:MAX_DELIVERIES:java.lang.IllegalStateException: the database is"
                                + " away\n");
        assertThat(bean.deliveries()).isEqualTo(2 * 3 + 3);
    }

    /** B30: what one transaction sets on the resource is not there in the next. */
    @Test
    void shouldForgetTheTimeOutThatATransactionManagerHasSet() throws Exception {
        FakeBean bean = FakeBean.accepting();
        bean.timeoutSeconds = 1000;
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxSessions(1);
        activate(bean, spec);
        send(queue, "a");
        awaitDone(bean, "a#1");
        assertThat(bean.lastTimeoutSeconds()).isEqualTo(1000);
        bean.timeoutSeconds = 0;
        send(queue, "b");
        awaitDone(bean, "a#1", "b#1");
        assertThat(bean.lastTimeoutSeconds()).isNotEqualTo(1000);
    }
}
