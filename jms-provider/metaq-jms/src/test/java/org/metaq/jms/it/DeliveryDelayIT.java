package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQTopic;

/** Messages that may not be delivered yet. */
class DeliveryDelayIT extends BrokerTestBase {
    private static final long DELAY_MS = 400;

    /** What a test may find late on a busy machine. */
    private static final long LATE_MAX_MS = 5_000;

    private Connection connection;
    private Session session;

    @BeforeEach
    void open() throws JMSException {
        connection = connect();
        session = connection.createSession();
    }

    private MessageProducer producer(Session of, Destination to, long delayMs) throws JMSException {
        MessageProducer producer = of.createProducer(to);
        producer.setDeliveryDelay(delayMs);
        return producer;
    }

    /** Waits for a message, which must come at its time, and gives it. */
    private static Message receiveInTime(MessageConsumer consumer) throws JMSException {
        Message message = receive(consumer);
        assertInTime(message);
        return message;
    }

    private static void assertInTime(Message message) throws JMSException {
        assertThat(System.currentTimeMillis())
                .isBetween(
                        message.getJMSDeliveryTime(), message.getJMSDeliveryTime() + LATE_MAX_MS);
    }

    @Test
    @Spec("JMS 3.1 §7.9; §3.4.13 JMSDeliveryTime")
    void shouldDeliverNotBeforeTheDelayIsOver() throws Exception {
        for (Destination destination : List.of(newQueue(), newTopic())) {
            MessageConsumer consumer = session.createConsumer(destination);
            for (int mode : new int[] {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT}) {
                MessageProducer producer = producer(session, destination, DELAY_MS);
                producer.setDeliveryMode(mode);
                TextMessage sent = session.createTextMessage("late");
                long before = System.currentTimeMillis();
                producer.send(sent);
                long after = System.currentTimeMillis();
                assertThat(sent.getJMSDeliveryTime())
                        .isBetween(before + DELAY_MS, after + DELAY_MS)
                        .isEqualTo(sent.getJMSTimestamp() + DELAY_MS);
                Message received = receiveInTime(consumer);
                assertThat(text(received)).isEqualTo("late");
                assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
                assertThat(received.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
                assertThat(received.getJMSRedelivered()).isFalse();
            }
        }
    }

    @Test
    @Spec("JMS 3.1 §7.9: setDeliveryDelay of a JMSProducer, asynchronous sends")
    void shouldDelayWhatAJmsProducerSends() throws Exception {
        JMSContext context = closedLater(factory("").createContext());
        Destination queue = newQueue();
        CompletableFuture<Message> completion = new CompletableFuture<>();
        JMSConsumer consumer = context.createConsumer(queue);
        context.createProducer()
                .setDeliveryDelay(DELAY_MS)
                .setAsync(
                        new CompletionListener() {
                            @Override
                            public void onCompletion(Message message) {
                                completion.complete(message);
                            }

                            @Override
                            public void onException(Message message, Exception exception) {
                                completion.completeExceptionally(exception);
                            }
                        })
                .send(queue, "late");
        Message sent = completion.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        Message received = consumer.receive(PATIENCE_MS);
        assertInTime(received);
        assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
        assertThat(context.createProducer().setDeliveryDelay(7).getDeliveryDelay()).isEqualTo(7);
    }

    @Test
    @Spec("JMS 3.1 §7.9: order by delivery time")
    void shouldDeliverInOrderOfDeliveryTime() throws Exception {
        Destination queue = newQueue();
        producer(session, queue, 900).send(session.createTextMessage("c"));
        producer(session, queue, 300).send(session.createTextMessage("a1"));
        producer(session, queue, 600).send(session.createTextMessage("b"));
        producer(session, queue, 0).send(session.createTextMessage("now"));
        assertThat(texts(session.createConsumer(queue), 4)).containsExactly("now", "a1", "b", "c");
    }

    @Test
    @Spec("JMS 3.1 §7.9: the delay counts from the send, not from the commit")
    void shouldCountTheDelayFromTheSendInATransaction() throws Exception {
        Destination queue = newQueue();
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        Message due = session.createTextMessage("due");
        producer(transacted, queue, 50).send(due);
        producer(transacted, queue, 3000).send(session.createTextMessage("late"));
        awaitTime(due.getJMSDeliveryTime() + 50);
        transacted.commit();

        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(receive(consumer))).isEqualTo("due");
        assertThat(text(receiveInTime(consumer))).isEqualTo("late");
    }

    private static void awaitTime(long timeMs) {
        await().until(() -> System.currentTimeMillis() >= timeMs);
    }

    @Test
    @Spec("JMS 3.1 §7.9; §6.2.7: what is rolled back is not delivered at any time")
    void shouldNotDeliverWhatWasRolledBack() throws Exception {
        Destination queue = newQueue();
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        producer(transacted, queue, 10).send(session.createTextMessage("never"));
        transacted.rollback();
        producer(transacted, queue, 20).send(session.createTextMessage("committed"));
        transacted.commit();
        assertThat(texts(session.createConsumer(queue), 1)).containsExactly("committed");
    }

    @Test
    @Spec("JMS 3.1 §7.9 in a distributed transaction")
    void shouldDelayWhatABranchSends() throws Exception {
        Destination queue = newQueue();
        XAConnection xaConnection = connectXa();
        XASession xa = xaConnection.createXASession();
        XAResource resource = xa.getXAResource();
        Xid xid = Xids.next();
        resource.start(xid, XAResource.TMNOFLAGS);
        producer(xa, queue, DELAY_MS).send(xa.createTextMessage("late"));
        resource.end(xid, XAResource.TMSUCCESS);
        resource.prepare(xid);
        resource.commit(xid, false);
        assertThat(text(receiveInTime(session.createConsumer(queue)))).isEqualTo("late");
    }

    @Test
    @Spec("JMS 3.1 §7.9 and §3.4.9: time to live counts from the send")
    void shouldExpireBeforeItIsDue() throws Exception {
        Destination queue = newQueue();
        MessageProducer producer = producer(session, queue, 400);
        producer.setTimeToLive(200);
        TextMessage expiring = session.createTextMessage("expires");
        producer.send(expiring);
        assertThat(expiring.getJMSExpiration()).isEqualTo(expiring.getJMSTimestamp() + 200);
        producer.setTimeToLive(60_000);
        producer.send(session.createTextMessage("stays"));
        assertThat(text(receiveInTime(session.createConsumer(queue)))).isEqualTo("stays");
    }

    @Test
    @Spec("JMS 3.1 §7.9 with temporary destinations")
    void shouldDelayForTemporaryDestinations() throws Exception {
        Destination queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);
        producer(session, queue, DELAY_MS).send(session.createTextMessage("late"));
        assertThat(text(receiveInTime(consumer))).isEqualTo("late");
    }

    @Test
    @Spec("JMS 3.1 §7.9 with durable subscriptions")
    void shouldDeliverToADurableSubscriptionThatWasAwayWhenItFellDue() throws Exception {
        MetaQTopic topic = newTopic();
        String name = newName();
        Connection own = connect("clientId=" + newName());
        Session first = own.createSession();
        first.createDurableConsumer(topic, name).close();
        TextMessage late = session.createTextMessage("late");
        producer(session, topic, 100).send(late);
        awaitTime(late.getJMSDeliveryTime() + 50);
        MessageConsumer consumer = first.createDurableConsumer(topic, name);
        assertThat(text(receive(consumer))).isEqualTo("late");
    }

    @Test
    @Spec("JMS 3.1 §7.9: a large message is delayed as any other")
    void shouldDelayALargeMessage() throws Exception {
        Destination queue = newQueue();
        String text = "x".repeat(3 << 20);
        producer(session, queue, DELAY_MS).send(session.createTextMessage(text));
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(receiveInTime(consumer))).isEqualTo(text);
    }

    @Test
    @Spec("JMS 3.1 §7.9: a negative delay is refused")
    void shouldRefuseANegativeDelay() throws Exception {
        MessageProducer producer = session.createProducer(newQueue());
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThatThrownBy(() -> producer.setDeliveryDelay(-1))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("-1");
        JMSContext context = closedLater(factory("").createContext());
        assertThatThrownBy(() -> context.createProducer().setDeliveryDelay(-1))
                .isInstanceOf(JMSRuntimeException.class);
        producer.setDeliveryDelay(Long.MAX_VALUE);
        TextMessage never = session.createTextMessage("never");
        producer.send(never);
        assertThat(never.getJMSDeliveryTime()).isEqualTo(Long.MAX_VALUE);
    }
}
