package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Feature;
import org.metaq.conformance.Requires;
import org.metaq.conformance.Spec;

/** §3.4: who sets which header field, to what, and that receivers see it. */
class HeadersIT extends ConformanceTest {
    private static final long HOUR_MS = 3_600_000;

    private Session session;
    private Queue queue;
    private MessageProducer producer;
    private MessageConsumer consumer;

    @BeforeEach
    void connectToAQueue() throws JMSException {
        session = session();
        queue = newQueue();
        producer = session.createProducer(queue);
        consumer = session.createConsumer(queue);
    }

    private Message throughTheQueue(Message message) throws JMSException {
        producer.send(message);
        return receive(consumer);
    }

    @Test
    @Spec({"3.4", "3.3"})
    void shouldDeliverTheCompleteHeader() throws JMSException {
        TextMessage sent = session.createTextMessage("body");
        sent.setStringProperty("color", "blue");
        sent.setJMSCorrelationID("order 1");
        sent.setJMSReplyTo(newTopic());
        sent.setJMSType("car");
        producer.setPriority(7);
        producer.setTimeToLive(HOUR_MS);

        Message received = throughTheQueue(sent);

        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(received.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(received.getJMSDestination()).isEqualTo(queue);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(7);
        assertThat(received.getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
        assertThat(received.getJMSCorrelationID()).isEqualTo("order 1");
        assertThat(received.getJMSReplyTo()).isEqualTo(sent.getJMSReplyTo());
        assertThat(received.getJMSType()).isEqualTo("car");
        assertThat(received.getStringProperty("color")).isEqualTo("blue");
        assertThat(text(received)).isEqualTo("body");
    }

    @Test
    @Spec({"3.4.1", "3.4.11"})
    void shouldSetTheDestinationWhateverTheClientSet() throws JMSException {
        Message message = session.createMessage();
        message.setJMSDestination(newQueue());

        Message received = throughTheQueue(message);

        assertThat(message.getJMSDestination()).isEqualTo(queue);
        assertThat(received.getJMSDestination()).isEqualTo(queue);
    }

    @Test
    @Spec("3.4.1")
    void shouldSetTopicsAsDestinationToo() throws JMSException {
        Topic topic = newTopic();
        MessageConsumer subscriber = session.createConsumer(topic);

        session.createProducer(topic).send(session.createMessage());

        assertThat(receive(subscriber).getJMSDestination()).isEqualTo(topic);
    }

    @ParameterizedTest
    @ValueSource(ints = {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT})
    @Spec({"3.4.2", "3.4.11"})
    void shouldSetTheDeliveryModeOfTheSendWhateverTheClientSet(int mode) throws JMSException {
        Message message = session.createMessage();
        message.setJMSDeliveryMode(DeliveryMode.PERSISTENT + DeliveryMode.NON_PERSISTENT - mode);
        producer.setDeliveryMode(mode);

        Message received = throughTheQueue(message);

        assertThat(message.getJMSDeliveryMode()).isEqualTo(mode);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(mode);
    }

    @Test
    @Spec({"3.4.3", "3.4.11"})
    void shouldAssignAMessageIdWithThePrefix() throws JMSException {
        Message message = session.createMessage();
        message.setJMSMessageID("ID:mine");

        Message received = throughTheQueue(message);

        assertThat(message.getJMSMessageID()).startsWith("ID:").isNotEqualTo("ID:mine");
        assertThat(received.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
    }

    @Test
    @Spec("3.4.3")
    void shouldAssignUniqueMessageIds() throws JMSException {
        Set<String> ids = new HashSet<>();
        Session other = session();
        MessageProducer otherProducer = other.createProducer(newQueue());
        Message repeated = session.createMessage();

        for (int i = 0; i < 50; i++) {
            producer.send(repeated);
            ids.add(repeated.getJMSMessageID());
            Message message = other.createMessage();
            otherProducer.send(message);
            ids.add(message.getJMSMessageID());
        }

        assertThat(ids).hasSize(100);
    }

    @Test
    @Spec("3.4.3")
    void shouldLeaveOutMessageIdsOnlyAsAHint() throws JMSException {
        producer.setDisableMessageID(true);
        assertThat(producer.getDisableMessageID()).isTrue();
        Message message = session.createMessage();

        Message received = throughTheQueue(message);

        assertThat(received.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
        if (message.getJMSMessageID() != null) {
            assertThat(message.getJMSMessageID()).startsWith("ID:");
        }
    }

    @Test
    @Spec({"3.4.4", "3.4.11"})
    void shouldSetATimestampWithinTheSend() throws JMSException {
        Message message = session.createMessage();
        message.setJMSTimestamp(1);
        long before = System.currentTimeMillis();
        producer.send(message);
        long after = System.currentTimeMillis();

        assertThat(message.getJMSTimestamp()).isBetween(before, after);
        assertThat(receive(consumer).getJMSTimestamp()).isEqualTo(message.getJMSTimestamp());
    }

    @Test
    @Spec("3.4.4")
    void shouldLeaveOutTimestampsOnlyAsAHint() throws JMSException {
        producer.setDisableMessageTimestamp(true);
        assertThat(producer.getDisableMessageTimestamp()).isTrue();
        Message message = session.createMessage();
        long before = System.currentTimeMillis();

        Message received = throughTheQueue(message);

        long timestamp = received.getJMSTimestamp();
        assertThat(timestamp == 0 || timestamp >= before).isTrue();
    }

    @Test
    @Spec("3.4.5")
    void shouldCarryACorrelationId() throws JMSException {
        Message message = session.createMessage();
        assertThat(message.getJMSCorrelationID()).isNull();
        message.setJMSCorrelationID("ID:some-message");

        assertThat(throughTheQueue(message).getJMSCorrelationID()).isEqualTo("ID:some-message");
        message.setJMSCorrelationID(null);
        assertThat(throughTheQueue(message).getJMSCorrelationID()).isNull();
    }

    @Test
    @Requires(Feature.CORRELATION_ID_AS_BYTES)
    @Spec("3.4.5")
    void shouldCarryACorrelationIdOfBytes() throws JMSException {
        byte[] id = "order 1".getBytes(StandardCharsets.UTF_8);
        Message message = session.createMessage();
        message.setJMSCorrelationIDAsBytes(id);

        assertThat(throughTheQueue(message).getJMSCorrelationIDAsBytes()).isEqualTo(id);
    }

    @Test
    @Spec("3.4.6")
    void shouldCarryWhereToReply() throws JMSException {
        Message message = session.createMessage();
        for (Destination replyTo :
                new Destination[] {newQueue(), newTopic(), session.createTemporaryQueue(), null}) {
            message.setJMSReplyTo(replyTo);
            assertThat(throughTheQueue(message).getJMSReplyTo()).isEqualTo(replyTo);
        }
    }

    @Test
    @Spec({"3.4.7", "3.5.11"})
    void shouldNotFlagAFirstDelivery() throws JMSException {
        Message message = session.createMessage();
        message.setJMSRedelivered(true);

        Message received = throughTheQueue(message);

        assertThat(received.getJMSRedelivered()).isFalse();
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    @Spec({"3.4.7", "3.5.11"})
    void shouldFlagAndCountRedeliveries() throws JMSException {
        Session transacted = session(Session.SESSION_TRANSACTED);
        Queue own = newQueue();
        send(own, "a");
        MessageConsumer first = transacted.createConsumer(own);
        for (String expected : new String[] {"a#1", "a#2R", "a#3R"}) {
            assertThat(described(receive(first))).isEqualTo(expected);
            transacted.rollback();
        }
    }

    @Test
    @Spec("3.4.8")
    void shouldCarryTheType() throws JMSException {
        Message message = session.createMessage();
        assertThat(throughTheQueue(message).getJMSType()).isNull();
        message.setJMSType("a type\u00e9");
        assertThat(throughTheQueue(message).getJMSType()).isEqualTo("a type\u00e9");
    }

    @Test
    @Spec({"3.4.9", "3.4.11", "7.8"})
    void shouldSetTheExpirationFromTheTimeToLive() throws JMSException {
        Message message = session.createMessage();
        message.setJMSExpiration(5);
        producer.setTimeToLive(HOUR_MS);
        long before = System.currentTimeMillis();
        producer.send(message);
        long after = System.currentTimeMillis();

        assertThat(message.getJMSExpiration()).isBetween(before + HOUR_MS, after + HOUR_MS);
        assertThat(receive(consumer).getJMSExpiration()).isEqualTo(message.getJMSExpiration());
    }

    @Test
    @Spec({"3.4.9", "3.4.11"})
    void shouldSetNoExpirationWithoutTimeToLive() throws JMSException {
        Message message = session.createMessage();
        message.setJMSExpiration(5);

        assertThat(throughTheQueue(message).getJMSExpiration()).isZero();
        assertThat(message.getJMSExpiration()).isZero();
    }

    @Test
    @Spec({"3.4.9", "3.4.13"})
    void shouldCountFromTheSendAndNotFromTheCommit() throws JMSException {
        Session transacted = session(Session.SESSION_TRANSACTED);
        MessageProducer sender = transacted.createProducer(newQueue());
        sender.setTimeToLive(HOUR_MS);
        Message message = transacted.createMessage();
        sender.send(message);
        long after = System.currentTimeMillis();
        transacted.commit();

        assertThat(message.getJMSExpiration()).isLessThanOrEqualTo(after + HOUR_MS);
        assertThat(message.getJMSDeliveryTime()).isLessThanOrEqualTo(after);
    }

    @Test
    @Spec({"3.4.9", "7.8"})
    void shouldNotDeliverWhatHasExpired() throws JMSException {
        consumer.close();
        producer.setTimeToLive(1);
        Message short1 = session.createTextMessage("short");
        producer.send(short1);
        producer.setTimeToLive(0);
        producer.send(session.createTextMessage("long"));
        awaitTime(short1.getJMSExpiration() + 50);

        MessageConsumer late = session.createConsumer(queue);

        assertThat(text(receive(late))).isEqualTo("long");
        assertThat(late.receiveNoWait()).isNull();
    }

    /** Time has to pass: nothing else tells that a message is too old. */
    static void awaitTime(long time) {
        org.awaitility.Awaitility.await().until(() -> System.currentTimeMillis() > time);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    @Spec({"3.4.10", "3.4.11"})
    void shouldSetEachPriorityWhateverTheClientSet(int priority) throws JMSException {
        Message message = session.createMessage();
        message.setJMSPriority(9 - priority);
        producer.setPriority(priority);

        Message received = throughTheQueue(message);

        assertThat(message.getJMSPriority()).isEqualTo(priority);
        assertThat(received.getJMSPriority()).isEqualTo(priority);
    }

    @Test
    @Requires(Feature.PRIORITY_ORDER)
    @Spec({"3.4.10", "6.2.9.2"})
    void shouldDeliverExpeditedMessagesFirst() throws JMSException {
        consumer.close();
        for (int priority : new int[] {2, 9, 4, 6}) {
            producer.setPriority(priority);
            producer.send(session.createTextMessage("p" + priority));
        }

        MessageConsumer late = session.createConsumer(queue);

        assertThat(texts(late, 4).subList(0, 2)).containsExactlyInAnyOrder("p9", "p6");
    }

    @Test
    @Spec({"3.4.13", "3.4.11", "7.9"})
    void shouldSetTheDeliveryTimeFromTheDelay() throws JMSException {
        Message message = session.createMessage();
        message.setJMSDeliveryTime(5);
        producer.setDeliveryDelay(100);
        long before = System.currentTimeMillis();
        producer.send(message);
        long after = System.currentTimeMillis();

        assertThat(message.getJMSDeliveryTime()).isBetween(before + 100, after + 100);
        Message received = receive(consumer);
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(message.getJMSDeliveryTime());
        assertThat(received.getJMSDeliveryTime()).isEqualTo(message.getJMSDeliveryTime());
    }

    @Test
    @Spec({"3.4.13", "3.4.11"})
    void shouldSetTheTimeOfTheSendAsDeliveryTimeWithoutDelay() throws JMSException {
        Message message = session.createMessage();
        message.setJMSDeliveryTime(5);
        long before = System.currentTimeMillis();

        Message received = throughTheQueue(message);

        assertThat(message.getJMSDeliveryTime()).isBetween(before, System.currentTimeMillis());
        assertThat(received.getJMSDeliveryTime()).isEqualTo(message.getJMSDeliveryTime());
    }

    @Test
    @Spec("3.4.11")
    void shouldSetHeadersOfSendsThroughTheSimplifiedApi() throws JMSException {
        JMSContext context = context();
        Message message = context.createMessage();
        JMSProducer sender = context.createProducer().setPriority(3).setTimeToLive(HOUR_MS);
        Queue own = newQueue();
        sender.send(own, message);
        Message received = context.createConsumer(own).receive(PATIENCE_MS);

        assertThat(received).as("a message in time").isNotNull();
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getJMSDestination()).isEqualTo(own);
        assertThat(received.getJMSPriority()).isEqualTo(3);
        assertThat(received.getJMSExpiration())
                .isEqualTo(message.getJMSExpiration())
                .isGreaterThan(message.getJMSTimestamp());
    }
}
