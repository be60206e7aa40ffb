package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** What a consumer asks for in the name of its destination. */
class DestinationOptionsIT extends BrokerTestBase {
    // ---- replay

    @Test
    void shouldStartANonDurableSubscriptionWhereItsNameSays() throws Exception {
        MetaQTopic topic = newTopic();
        send(topic, "a", "b");
        Session session = connect().createSession();
        assertThat(session.createConsumer(topic).receiveNoWait()).isNull();
        MessageConsumer all =
                session.createConsumer(
                        session.createTopic(topic.getTopicName() + "?from=earliest"));
        assertThat(texts(all, 2)).containsExactly("a", "b");
        MessageConsumer none =
                session.createConsumer(session.createTopic(topic.getTopicName() + "?from=latest"));
        assertThat(none.receiveNoWait()).isNull();
    }

    @Test
    void shouldStartAtATime() throws Exception {
        MetaQTopic topic = newTopic();
        send(topic, "before");
        long sentMs = System.currentTimeMillis();
        await().until(() -> System.currentTimeMillis() > sentMs + 1);
        Instant between = Instant.now();
        send(topic, "after");
        Session session = connect().createSession();
        MessageConsumer consumer =
                session.createConsumer(
                        session.createTopic(topic.getTopicName() + "?from=" + between));
        assertThat(texts(consumer, 1)).containsExactly("after");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldResetADurableSubscriptionWithFromAndNotWithStartFrom() throws Exception {
        MetaQTopic topic = newTopic();
        String name = newName();
        String other = newName();
        Session session = connect("clientId=" + newName()).createSession();
        send(topic, "a");
        MetaQTopic fromStart = new MetaQTopic(topic.getTopicName() + "?startFrom=earliest");
        MessageConsumer first = session.createDurableConsumer(fromStart, name);
        assertThat(texts(first, 1)).containsExactly("a");
        first.close();
        session.createDurableConsumer(topic, other).close();
        send(topic, "b");

        MessageConsumer second = session.createDurableConsumer(fromStart, name);
        assertThat(texts(second, 1)).as("it goes on where it was").containsExactly("b");
        second.close();
        MessageConsumer third =
                session.createDurableConsumer(
                        new MetaQTopic(topic.getTopicName() + "?from=earliest"), name);
        assertThat(texts(third, 2)).as("it is reset").containsExactly("a", "b");
        third.close();

        MessageConsumer untouched = session.createDurableConsumer(topic, other);
        assertThat(texts(untouched, 1)).containsExactly("b");
        assertThat(untouched.receiveNoWait()).isNull();
        untouched.close();
        session.unsubscribe(name);
        session.unsubscribe(other);
    }

    // ---- redelivery

    private static List<String> failing(Session session, MetaQQueue queue) throws JMSException {
        List<String> seen = new CopyOnWriteArrayList<>();
        session.createConsumer(queue)
                .setMessageListener(
                        message -> {
                            try {
                                seen.add(described(message));
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                            throw new UnsupportedOperationException("no way");
                        });
        return seen;
    }

    @Test
    void shouldMoveAMessageToTheDeadLetterQueueOfItsConsumersOptions() throws Exception {
        MetaQQueue dead = newQueue();
        String name = newQueue().getQueueName();
        MetaQQueue queue =
                new MetaQQueue(name + "?maxDeliveries=2&deadLetter=" + dead.getQueueName());
        send(queue, "a");

        List<String> seen = failing(connect().createSession(), queue);

        Message letter = receive(connect().createSession().createConsumer(dead));
        assertThat(seen).containsExactly("a#1", "a#2R");
        assertThat(text(letter)).isEqualTo("a");
        assertThat(letter.getStringProperty("JMS_METAQ_DeadLetterReason"))
                .isEqualTo("MAX_DELIVERIES");
        assertThat(letter.getIntProperty("JMS_METAQ_DeadLetterCount")).isEqualTo(2);
        assertThat(letter.getStringProperty("JMS_METAQ_DeadLetterException"))
                .isEqualTo("java.lang.UnsupportedOperationException: no way");
    }

    @Test
    void shouldGoByTheOptionsOfTheConnectionFactory() throws Exception {
        MetaQQueue dead = newQueue();
        MetaQQueue queue = newQueue();
        send(queue, "a");
        String options = "maxDeliveries=1&deadLetter=" + dead.getQueueName().replace(" ", "%20");
        List<String> seen = failing(connect(options).createSession(), queue);
        assertThat(text(receive(connect().createSession().createConsumer(dead)))).isEqualTo("a");
        assertThat(seen).containsExactly("a#1");
    }

    @Test
    void shouldDelayARedeliveryAndLetOthersPass() throws Exception {
        MetaQQueue queue = new MetaQQueue(newQueue().getQueueName() + "?redeliveryDelay=300");
        send(queue, "a", "b");
        Session session = connect().createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(described(receive(consumer))).isEqualTo("a#1");
        long startNs = System.nanoTime();
        session.rollback();
        assertThat(described(receive(consumer))).isEqualTo("b#1");
        session.commit();
        assertThat(described(receive(consumer))).isEqualTo("a#2R");
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(290_000_000L);
        session.commit();
    }

    // ---- prefetch

    @Test
    void shouldTakeNoMoreAheadThanTheNameOfTheDestinationSays() throws Exception {
        MetaQQueue queue = newQueue();
        send(queue, "a", "b", "c", "d", "e", "f");
        Connection connection = connect();
        MessageConsumer greedy =
                connection
                        .createSession()
                        .createConsumer(new MetaQQueue(queue.getQueueName() + "?prefetch=1"));
        assertThat(text(receive(greedy))).isEqualTo("a");
        MessageConsumer other = connection.createSession().createConsumer(queue);
        List<String> rest = new ArrayList<>(texts(other, 4));
        assertThat(rest).isSubsetOf("b", "c", "d", "e", "f");
    }

    // ---- names

    @Test
    void shouldSendToAndReceiveFromAQueueWithAQuestionMarkInItsName() throws Exception {
        Session session = connect().createSession();
        String name = newName() + "%3F100%25";
        MetaQQueue queue = (MetaQQueue) session.createQueue(name);
        assertThat(queue.name()).endsWith("?100%");
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("a"));
        Message received = receive(session.createConsumer(session.createQueue(name)));
        assertThat(received.getJMSDestination()).isEqualTo(queue);
        assertThatThrownBy(() -> session.createQueue("why?"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("%3F");
    }
}
