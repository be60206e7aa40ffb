package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** Message selectors from the client to the broker and back. */
class SelectorIT extends BrokerTestBase {
    private void sendNumbered(jakarta.jms.Destination to, int count) throws JMSException {
        try (Connection connection = factory("").createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(to);
            for (int i = 1; i <= count; i++) {
                TextMessage message = session.createTextMessage("m" + i);
                message.setIntProperty("n", i);
                producer.send(message);
            }
        }
    }

    @Spec("Jakarta Messaging 3.1 §8.2: what is not selected stays in the queue")
    @Test
    void shouldTakeFromTheMiddleOfAQueueAndLeaveTheRest() throws Exception {
        MetaQQueue queue = newQueue();
        sendNumbered(queue, 5);
        Session session = connect().createSession();
        MessageConsumer third = session.createConsumer(queue, "n = 3");
        assertThat(text(receive(third))).isEqualTo("m3");
        assertThat(third.receiveNoWait()).isNull();
        third.close();
        QueueBrowser even = session.createBrowser(queue, "n IN ('2') OR n / 2.0 = 2");
        assertThat(BrowserIT.browsed(even)).containsExactly("m4");
        assertThat(BrowserIT.browsed(session.createBrowser(queue)))
                .containsExactly("m1", "m2", "m4", "m5");
        assertThat(texts(session.createConsumer(queue), 4)).containsExactly("m1", "m2", "m4", "m5");
    }

    @Test
    void shouldGiveEachConsumerOfAQueueWhatItSelects() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession();
        MessageConsumer low = session.createConsumer(queue, "n <= 50");
        MessageConsumer high = session.createConsumer(queue, "n > 50");
        sendNumbered(queue, 100);
        assertThat(texts(high, 50)).startsWith("m51").endsWith("m100");
        assertThat(texts(low, 50)).startsWith("m1").endsWith("m50");
    }

    @Spec("Jakarta Messaging 3.1 §8.3.1: what a subscription does not select never was for it")
    @Test
    void shouldKeepForADurableSubscriptionOnlyWhatItSelects() throws Exception {
        MetaQTopic topic = newTopic();
        String name = newName();
        Connection connection = connect("clientId=" + newName());
        Session session = connection.createSession();
        session.createDurableConsumer(topic, name, "n > 2", false).close();
        sendNumbered(topic, 4);
        MessageConsumer consumer = session.createDurableConsumer(topic, name, "n > 2", false);
        assertThat(consumer.getMessageSelector()).isEqualTo("n > 2");
        assertThat(texts(consumer, 2)).containsExactly("m3", "m4");
        assertThat(consumer.receiveNoWait()).isNull();
        consumer.close();
        session.unsubscribe(name);
    }

    @Spec("Jakarta Messaging 3.1 §8.3.3: another selector is another subscription")
    @Test
    void shouldStartADurableSubscriptionAnewWhenItsSelectorChanges() throws Exception {
        MetaQTopic topic = newTopic();
        String name = newName();
        Session session = connect("clientId=" + newName()).createSession();
        session.createDurableConsumer(topic, name, "n > 2", false).close();
        sendNumbered(topic, 4);
        MessageConsumer changed = session.createDurableConsumer(topic, name, "n > 3", false);
        assertThat(changed.receiveNoWait()).isNull();
        sendNumbered(topic, 4);
        assertThat(texts(changed, 1)).containsExactly("m4");
        changed.close();
        session.unsubscribe(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   "})
    @Spec("Jakarta Messaging 3.1 §3.8.1; B47")
    void shouldTakeAnEmptyAndABlankSelectorForNone(String selector) throws Exception {
        MetaQTopic topic = newTopic();
        MetaQQueue queue = newQueue();
        String name = newName();
        Session session = connect("clientId=" + newName()).createSession();
        session.createDurableConsumer(topic, name, selector, false).close();
        sendNumbered(topic, 2);
        // Null names the same subscription.
        MessageConsumer consumer = session.createDurableConsumer(topic, name, null, false);
        assertThat(texts(consumer, 2)).containsExactly("m1", "m2");
        consumer.close();
        session.unsubscribe(name);
        sendNumbered(queue, 2);
        assertThat(BrowserIT.browsed(session.createBrowser(queue, selector))).hasSize(2);
        assertThat(texts(session.createConsumer(queue, selector), 2)).hasSize(2);
    }

    @Spec("Jakarta Messaging 3.1 §3.8.1.1: JMS headers in selectors")
    @Test
    void shouldSelectByHeaders() throws Exception {
        MetaQQueue queue = newQueue();
        Session session = connect().createSession();
        MessageProducer producer = session.createProducer(queue);
        for (String type : List.of("car", "bike")) {
            Message message = session.createTextMessage(type);
            message.setJMSType(type);
            message.setJMSCorrelationID("c-" + type);
            producer.send(message);
        }
        MessageConsumer consumer =
                session.createConsumer(
                        queue,
                        "JMSType = 'bike' AND JMSCorrelationID LIKE 'c-%' AND JMSPriority = 4"
                                + " AND JMSDeliveryMode = 'PERSISTENT'");
        assertThat(text(receive(consumer))).isEqualTo("bike");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldFeedAConnectionConsumerWhatItSelects() throws Exception {
        MetaQQueue queue = newQueue();
        Connection connection = connect();
        List<String> seen = new CopyOnWriteArrayList<>();
        Session session = connection.createSession();
        session.setMessageListener(
                message -> {
                    try {
                        seen.add(text(message));
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                });
        try (SessionPool pool = SessionPool.of(Session::run, session)) {
            connection.createConnectionConsumer(queue, "n = 2", pool, 1);
            sendNumbered(queue, 3);
            org.awaitility.Awaitility.await()
                    .untilAsserted(() -> assertThat(seen).containsExactly("m2"));
            connection.close();
        }
        assertThat(texts(connect().createSession().createConsumer(queue), 2))
                .containsExactly("m1", "m3");
    }
}
