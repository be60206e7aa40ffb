package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §4.1: queues. */
class QueueIT extends ConformanceTest {
    @Test
    @Spec({"4.1", "4.1.2", "6.2.12"})
    void shouldDeliverEachMessageToOneConsumer() throws Exception {
        Queue queue = newQueue();
        int count = 60;
        CountDownLatch received = new CountDownLatch(count);
        Set<String> once = new ConcurrentSkipListSet<>();
        Set<String> twice = new ConcurrentSkipListSet<>();
        for (int i = 0; i < 3; i++) {
            session()
                    .createConsumer(queue)
                    .setMessageListener(
                            message -> {
                                if (!once.add(textOf(message))) {
                                    twice.add(textOf(message));
                                }
                                received.countDown();
                            });
        }
        Session sender = session();
        MessageProducer producer = sender.createProducer(queue);
        for (int i = 0; i < count; i++) {
            producer.send(sender.createTextMessage("m" + i));
        }

        await(received);

        assertThat(twice).isEmpty();
        assertThat(once).hasSize(count);
    }

    private static String textOf(Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Spec({"4.1.2", "3.8"})
    void shouldLeaveWhatAConsumerDoesNotSelectToOthers() throws JMSException {
        Queue queue = newQueue();
        Session session = session();
        MessageProducer producer = session.createProducer(queue);
        for (String color : new String[] {"red", "blue", "red", "blue"}) {
            Message message = session.createTextMessage(color);
            message.setStringProperty("color", color);
            producer.send(message);
        }
        MessageConsumer blue = session.createConsumer(queue, "color = 'blue'");

        assertThat(texts(blue, 2)).containsExactly("blue", "blue");
        assertThat(blue.receiveNoWait()).isNull();
        blue.close();
        assertThat(texts(session.createConsumer(queue), 2)).containsExactly("red", "red");
    }

    @Test
    @Spec({"4.1.2", "6.2.9.1"})
    void shouldDeliverWhatIsSelectedInOrder() throws JMSException {
        Queue queue = newQueue();
        Session session = session();
        MessageConsumer even = session.createConsumer(queue, "even = TRUE");
        MessageConsumer odd = session.createConsumer(queue, "even = FALSE");
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 10; i++) {
            Message message = session.createTextMessage("m" + i);
            message.setBooleanProperty("even", i % 2 == 0);
            producer.send(message);
        }

        assertThat(texts(even, 5)).containsExactly("m0", "m2", "m4", "m6", "m8");
        assertThat(texts(odd, 5)).containsExactly("m1", "m3", "m5", "m7", "m9");
    }

    @Test
    @Spec({"4.1.4", "6.2.3"})
    void shouldNameTheSameQueueByItsName() throws JMSException {
        Queue queue = newQueue();
        Session session = session();
        send(queue, "a");

        Queue named = session.createQueue(queue.getQueueName());

        assertThat(named.getQueueName()).isEqualTo(queue.getQueueName());
        assertThat(texts(session.createConsumer(named), 1)).containsExactly("a");
    }

    @Test
    @Spec({"4.1.8", "4.1"})
    void shouldHoldMessagesWhileNobodyIsThere() throws JMSException {
        Queue queue = newQueue();
        send(queue, "a", "b");
        send(queue, "c");

        assertThat(texts(session().createConsumer(queue), 3)).containsExactly("a", "b", "c");
    }

    @Test
    @Spec({"4.1.5", "6.2.2"})
    void shouldMakeUniqueTemporaryQueues() throws JMSException {
        Session one = session();
        Session other = session();
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < 5; i++) {
            names.add(one.createTemporaryQueue().getQueueName());
            names.add(other.createTemporaryQueue().getQueueName());
        }

        assertThat(names).hasSize(10);
    }

    @Test
    @Spec({"4.1.5", "6.2.2"})
    void shouldLetOnlyTheOwnConnectionConsumeFromATemporaryQueue() throws JMSException {
        Connection connection = connect();
        Session session = connection.createSession();
        Queue temporary = session.createTemporaryQueue();
        Session other = session();

        assertThatThrownBy(() -> other.createConsumer(temporary)).isInstanceOf(JMSException.class);
        send(other, temporary, "a");
        assertThat(texts(connection.createSession().createConsumer(temporary), 1))
                .containsExactly("a");
    }

    @Test
    @Spec({"4.1.7", "2.16", "2.9"})
    void shouldServeTheQueueRequestor() throws Exception {
        Queue queue = newQueue();
        Session server = session();
        MessageConsumer requests = server.createConsumer(queue);
        requests.setMessageListener(
                request -> {
                    try {
                        server.createProducer(request.getJMSReplyTo())
                                .send(server.createTextMessage("re: " + text(request)));
                    } catch (JMSException e) {
                        throw new IllegalStateException(e);
                    }
                });
        QueueConnection connection =
                closedLater(provider().queueConnectionFactory().createQueueConnection());
        connection.start();
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueRequestor requestor = new QueueRequestor(session, queue);

        assertThat(text(requestor.request(session.createTextMessage("one")))).isEqualTo("re: one");
        assertThat(text(requestor.request(session.createTextMessage("two")))).isEqualTo("re: two");
        requestor.close();
    }

    @Test
    @Spec({"4.1.7", "10.3"})
    void shouldNotMakeARequestorForNoQueue() throws JMSException {
        QueueSession session =
                closedLater(provider().queueConnectionFactory().createQueueConnection())
                        .createQueueSession(false, Session.AUTO_ACKNOWLEDGE);

        assertThatThrownBy(() -> new QueueRequestor(session, null))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    @Spec({"4.1.2", "6.2"})
    void shouldGiveWhatAClosedConsumerDidNotGetToOthers() throws JMSException {
        Queue queue = newQueue();
        Session session = session();
        MessageConsumer first = session.createConsumer(queue);
        send(queue, "a", "b", "c");
        assertThat(texts(first, 1)).containsExactly("a");

        first.close();

        List<String> others = new ArrayList<>(texts(session().createConsumer(queue), 2));
        assertThat(others).containsExactly("b", "c");
    }
}
