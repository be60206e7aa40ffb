package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/** Temporary destinations, request and reply. */
class TemporaryDestinationIT extends BrokerTestBase {
    @Test
    @Spec("JMS 3.1 §4.1.3, §6.2.2")
    void shouldLetOnlyItsOwnConnectionConsumeAndEveryoneSend() throws Exception {
        Connection connection = connect();
        Session session = connection.createSession();
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        Session stranger = connect().createSession();
        assertThatThrownBy(() -> stranger.createConsumer(queue))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> stranger.createConsumer(topic))
                .isInstanceOf(InvalidDestinationException.class);
        Session sibling = connection.createSession();
        MessageConsumer fromQueue = sibling.createConsumer(queue);
        MessageConsumer fromTopic = sibling.createConsumer(topic);
        send(stranger, queue, "to the queue");
        send(stranger, topic, "to the topic");
        assertThat(texts(fromQueue, 1)).containsExactly("to the queue");
        assertThat(texts(fromTopic, 1)).containsExactly("to the topic");
    }

    @Test
    @Spec("JMS 3.1 TemporaryQueue.delete: not with active consumers")
    void shouldRefuseToDeleteWhileItHasAConsumer() throws Exception {
        Session session = connect().createSession();
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer fromQueue = session.createConsumer(queue);
        MessageConsumer fromTopic = session.createConsumer(topic);
        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
        assertThatThrownBy(topic::delete).isInstanceOf(JMSException.class);
        fromQueue.close();
        fromTopic.close();
        queue.delete();
        topic.delete();
        assertThatThrownBy(() -> session.createConsumer(queue))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> send(session, queue, "a"))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    @Spec("JMS 3.1 §6.2.2: as long as its connection")
    void shouldVanishWithItsConnection() throws Exception {
        Connection connection = connect();
        TemporaryQueue queue = connection.createSession().createTemporaryQueue();
        Session stranger = connect().createSession();
        send(stranger, queue, "a");
        connection.close();
        // The broker may still be busy with the end of the connection.
        await().untilAsserted(
                        () ->
                                assertThatThrownBy(() -> send(stranger, queue, "b"))
                                        .isInstanceOf(InvalidDestinationException.class));
    }

    @Test
    @Spec("JMS 3.1 §6.2.2: outlives the session that made it")
    void shouldOutliveItsSession() throws Exception {
        Connection connection = connect();
        Session maker = connection.createSession();
        TemporaryQueue queue = maker.createTemporaryQueue();
        maker.close();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, queue, "a");
        assertThat(consumer.receiveNoWait()).isNull();
        session.commit();
        assertThat(described(consumer, 1)).containsExactly("a#1");
        session.rollback();
        assertThat(described(consumer, 1)).containsExactly("a#2R");
        session.commit();
        assertThat(consumer.receiveNoWait()).isNull();
    }

    /** Answers every request on a destination with its text in brackets. */
    private void answer(Destination requests) throws JMSException {
        Session session = connect().createSession();
        MessageProducer replies = session.createProducer(null);
        session.createConsumer(requests)
                .setMessageListener(
                        request -> {
                            try {
                                Message reply =
                                        session.createTextMessage("[" + text(request) + "]");
                                reply.setJMSCorrelationID(request.getJMSMessageID());
                                replies.send(request.getJMSReplyTo(), reply);
                            } catch (JMSException e) {
                                throw new AssertionError(e);
                            }
                        });
    }

    @Test
    @Spec("JMS 3.1 §3.4.6: JMSReplyTo")
    void shouldAnswerARequestAtItsReplyDestination() throws Exception {
        MetaQQueue requests = newQueue();
        answer(requests);
        Session session = connect().createSession();
        TemporaryQueue replies = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(replies);
        MessageProducer producer = session.createProducer(requests);
        for (int i = 0; i < 20; i++) {
            Message request = session.createTextMessage("r" + i);
            request.setJMSReplyTo(replies);
            producer.send(request);
            Message reply = receive(consumer);
            assertThat(text(reply)).isEqualTo("[r" + i + "]");
            assertThat(reply.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
            assertThat(reply.getJMSDestination()).isEqualTo(replies);
        }
    }

    @Test
    @Spec("JMS 3.1 QueueRequestor")
    void shouldServeAQueueRequestor() throws Exception {
        MetaQQueue requests = newQueue();
        answer(requests);
        QueueConnection connection = closedLater(factory("").createQueueConnection());
        connection.start();
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueRequestor requestor = new QueueRequestor(session, requests);
        assertThat(text(requestor.request(session.createTextMessage("a")))).isEqualTo("[a]");
        assertThat(text(requestor.request(session.createTextMessage("b")))).isEqualTo("[b]");
        requestor.close();
    }

    @Test
    @Spec("JMS 3.1 TopicRequestor")
    void shouldServeATopicRequestor() throws Exception {
        MetaQTopic requests = newTopic();
        answer(requests);
        TopicConnection connection = closedLater(factory("").createTopicConnection());
        connection.start();
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicRequestor requestor = new TopicRequestor(session, requests);
        assertThat(text(requestor.request(session.createTextMessage("a")))).isEqualTo("[a]");
        assertThat(text(requestor.request(session.createTextMessage("b")))).isEqualTo("[b]");
        requestor.close();
    }
}
