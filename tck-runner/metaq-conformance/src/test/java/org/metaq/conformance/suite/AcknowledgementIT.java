package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §6.2.9 to §6.2.12, §3.6: order, acknowledgement, recovery, no duplicates. */
class AcknowledgementIT extends ConformanceTest {
    private Queue queue;

    @BeforeEach
    void newQueueForEach() {
        queue = newQueue();
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    @Spec({"6.2.10", "6.2.11"})
    void shouldAcknowledgeWhenReceiveReturns(int mode) throws JMSException {
        send(queue, "a", "b", "c");
        Connection connection = connect();
        MessageConsumer consumer = connection.createSession(mode).createConsumer(queue);
        assertThat(texts(consumer, 2)).containsExactly("a", "b");

        connection.close();

        // The last may come again with lazy acknowledgement only.
        List<String> rest = drain(queue);
        assertThat(rest).last().isEqualTo("c");
        if (mode == Session.AUTO_ACKNOWLEDGE) {
            assertThat(rest).containsExactly("c");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    @Spec({"6.2.10", "6.2.11"})
    void shouldAcknowledgeWhenTheListenerReturns(int mode) throws Exception {
        send(queue, "a", "b");
        Connection connection = connect();
        CountDownLatch both = new CountDownLatch(2);
        connection
                .createSession(mode)
                .createConsumer(queue)
                .setMessageListener(message -> both.countDown());
        await(both);

        connection.close();

        assertThat(drain(queue)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    @Spec({"3.6", "6.2.10"})
    void shouldIgnoreAcknowledgeWhereItIsAutomatic(int mode) throws JMSException {
        send(queue, "a", "b");
        Session session = session(mode);
        MessageConsumer consumer = session.createConsumer(queue);
        Message message = receive(consumer);

        message.acknowledge();
        message.acknowledge();

        assertThat(texts(consumer, 1)).containsExactly("b");
    }

    @Test
    @Spec({"3.6", "6.2.10", "6.2.11"})
    void shouldAcknowledgeAllThatTheSessionDelivered() throws JMSException {
        Queue other = newQueue();
        send(queue, "a", "b", "later");
        send(other, "c");
        Connection connection = connect();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        MessageConsumer otherConsumer = session.createConsumer(other);
        Message first = receive(consumer);
        assertThat(texts(consumer, 1)).containsExactly("b");
        assertThat(texts(otherConsumer, 1)).containsExactly("c");

        first.acknowledge();
        connection.close();

        assertThat(drain(queue)).containsExactly("later");
        assertThat(drain(other)).isEmpty();
    }

    @Test
    @Spec({"3.6", "6.2.10"})
    void shouldAcknowledgeThroughAContext() {
        send(queue, "a", "b");
        JMSContext context = context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = context.createConsumer(queue);
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
        context.acknowledge();
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("b");
        context.recover();

        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("b");
        context.acknowledge();
    }

    @Test
    @Spec({"6.2.10", "3.4.7", "3.5.11"})
    void shouldRecoverFromTheFirstUnacknowledgedMessage() throws JMSException {
        send(queue, "a", "b", "c", "d");
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        receive(consumer).acknowledge();
        assertThat(texts(consumer, 2)).containsExactly("b", "c");

        session.recover();

        List<String> again = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            again.add(described(receive(consumer)));
        }
        assertThat(again).containsExactly("b#2R", "c#2R", "d#1");
    }

    @Test
    @Spec({"6.2.10", "3.5.11"})
    void shouldCountEachRecovery() throws JMSException {
        send(queue, "a");
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        for (String expected : new String[] {"a#1", "a#2R", "a#3R", "a#4R"}) {
            assertThat(described(receive(consumer))).isEqualTo(expected);
            session.recover();
        }
        receive(consumer).acknowledge();
        session.recover();

        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Spec({"6.2.10", "6.2.9.1", "4.2.8"})
    void shouldRecoverTopicsInOrder() throws JMSException {
        Topic topic = newTopic();
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(topic);
        send(topic, "a", "b", "c");
        assertThat(texts(consumer, 3)).containsExactly("a", "b", "c");

        session.recover();

        assertThat(texts(consumer, 3)).containsExactly("a", "b", "c");
    }

    @Test
    @Spec({"6.2.10", "8.7"})
    void shouldRecoverInAListener() throws Exception {
        send(queue, "a", "b");
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        List<String> received = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(4);
        session.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            try {
                                received.add(described(message));
                                if (received.size() == 2) {
                                    session.recover();
                                }
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                            all.countDown();
                        });
        await(all);

        assertThat(received).containsExactly("a#1", "b#1", "a#2R", "b#2R");
    }

    @Test
    @Spec({"6.2", "6.2.11", "3.4.7"})
    void shouldKeepWhatWasNotAcknowledgedForALaterConsumer() throws JMSException {
        send(queue, "a", "b");
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        receive(consumer).acknowledge();
        assertThat(texts(consumer, 1)).containsExactly("b");
        session.close();

        Message again = receive(session().createConsumer(queue));

        assertThat(text(again)).isEqualTo("b");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isGreaterThanOrEqualTo(2);
    }

    @Test
    @Spec("6.2.11")
    void shouldNeverDeliverAnAcknowledgedMessageAgain() throws JMSException {
        send(queue, "a", "b", "c");
        for (String expected : new String[] {"a", "b", "c"}) {
            try (Connection connection = provider().connectionFactory().createConnection()) {
                connection.start();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                Message message = receive(session.createConsumer(queue));
                assertThat(text(message)).isEqualTo(expected);
                message.acknowledge();
            }
        }

        assertThat(drain(queue)).isEmpty();
    }

    // ---- order

    @Test
    @Spec({"6.2.9", "6.2.9.1"})
    void shouldDeliverInTheOrderOfTheSends() throws JMSException {
        Session session = session();
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            producer.send(session.createTextMessage("m" + i));
            sent.add("m" + i);
        }

        assertThat(texts(consumer, 200)).isEqualTo(sent);
    }

    @Test
    @Spec({"6.2.9", "6.2.9.1", "4.2.2"})
    void shouldDeliverInTheOrderOfTheSendsOnTopics() throws JMSException {
        Topic topic = newTopic();
        Session session = session();
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer one = session.createProducer(topic);
        MessageProducer other = session.createProducer(topic);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            (i % 2 == 0 ? one : other).send(session.createTextMessage("m" + i));
            sent.add("m" + i);
        }

        assertThat(texts(consumer, 100)).isEqualTo(sent);
    }

    @Test
    @Spec("6.2.9.2")
    void shouldKeepOrderWithinEachDeliveryMode() throws JMSException {
        Session session = session();
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 60; i++) {
            producer.send(
                    session.createTextMessage("m" + i),
                    i % 3 == 0 ? DeliveryMode.NON_PERSISTENT : DeliveryMode.PERSISTENT,
                    4,
                    0);
        }
        MessageConsumer consumer = session.createConsumer(queue);
        int lastPersistent = -1;
        int lastOther = -1;
        for (String text : texts(consumer, 60)) {
            int number = Integer.parseInt(text.substring(1));
            if (number % 3 == 0) {
                assertThat(number).isGreaterThan(lastOther);
                lastOther = number;
            } else {
                assertThat(number).isGreaterThan(lastPersistent);
                lastPersistent = number;
            }
        }
    }

    @Test
    @Spec("6.2.9.2")
    void shouldKeepOrderWithinEachPriority() throws JMSException {
        Session session = session();
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 60; i++) {
            producer.send(session.createTextMessage("m" + i), DeliveryMode.PERSISTENT, i % 10, 0);
        }
        int[] last = new int[10];
        java.util.Arrays.fill(last, -1);

        for (String text : texts(session.createConsumer(queue), 60)) {
            int number = Integer.parseInt(text.substring(1));
            assertThat(number).isGreaterThan(last[number % 10]);
            last[number % 10] = number;
        }
    }

    @Test
    @Spec({"6.2.9.2", "7.9"})
    void shouldDeliverByDeliveryTime() throws JMSException {
        Session session = session();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(200);
        producer.send(session.createTextMessage("later"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("now"));

        assertThat(texts(session.createConsumer(queue), 2)).containsExactly("now", "later");
    }

    // ---- duplicates

    @Test
    @Spec({"6.2.12", "6.2.11", "7.7"})
    void shouldDeliverEachMessageOnce() throws JMSException {
        Session sender = session(Session.SESSION_TRANSACTED);
        MessageProducer producer = sender.createProducer(queue);
        for (int i = 0; i < 300; i++) {
            producer.send(
                    sender.createTextMessage("m" + i),
                    i % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT,
                    4,
                    0);
            if (i % 7 == 0) {
                sender.commit();
            }
        }
        sender.commit();

        assertThat(drain(queue)).hasSize(300).doesNotHaveDuplicates();
        assertThat(drain(queue)).isEmpty();
    }
}
