package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Feature;
import org.metaq.conformance.ProviderUnderTest.Credentials;
import org.metaq.conformance.Requires;
import org.metaq.conformance.Spec;

/** §6.1.1 to §6.1.6, and how the APIs meet (§2). */
class ConnectionIT extends ConformanceTest {
    // ---- making connections

    @Test
    @Spec({"6.1", "6.1.3", "2.7", "2.12.1", "2.4"})
    void shouldSendAndReceiveWithTheClassicApi() throws JMSException {
        Queue queue = newQueue();
        Topic topic = newTopic();
        Connection connection = stopped();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer fromQueue = session.createConsumer(queue);
        MessageConsumer fromTopic = session.createConsumer(topic);
        connection.start();

        send(session, queue, "q");
        send(session, topic, "t");

        assertThat(texts(fromQueue, 1)).containsExactly("q");
        assertThat(texts(fromTopic, 1)).containsExactly("t");
    }

    @Test
    @Spec({"6.1", "6.1.3", "2.8", "2.4"})
    void shouldSendAndReceiveWithTheSimplifiedApi() {
        Queue queue = newQueue();
        Topic topic = newTopic();
        JMSContext context = context();
        JMSConsumer fromQueue = context.createConsumer(queue);
        JMSConsumer fromTopic = context.createConsumer(topic);

        context.createProducer().send(queue, "q").send(topic, "t");

        assertThat(fromQueue.receiveBody(String.class, PATIENCE_MS)).isEqualTo("q");
        assertThat(fromTopic.receiveBody(String.class, PATIENCE_MS)).isEqualTo("t");
    }

    @Test
    @Spec({"6.1", "6.1.3", "2.9", "8.2", "7.1"})
    void shouldSendAndReceiveWithTheQueueApi() throws JMSException {
        Queue queue = newQueue();
        QueueConnection connection =
                closedLater(provider().queueConnectionFactory().createQueueConnection());
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueReceiver receiver = session.createReceiver(queue);
        connection.start();
        session.createSender(queue).send(session.createTextMessage("a"));
        session.createSender(null).send(queue, session.createTextMessage("b"));

        assertThat(receiver.getQueue()).isEqualTo(queue);
        assertThat(texts(receiver, 2)).containsExactly("a", "b");
    }

    @Test
    @Spec({"6.1", "6.1.3", "2.9", "8.3", "7.1"})
    void shouldPublishAndSubscribeWithTheTopicApi() throws JMSException {
        Topic topic = newTopic();
        TopicConnection connection =
                closedLater(provider().topicConnectionFactory().createTopicConnection());
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicSubscriber subscriber = session.createSubscriber(topic);
        connection.start();
        session.createPublisher(topic).publish(session.createTextMessage("a"));
        session.createPublisher(null).publish(topic, session.createTextMessage("b"));

        assertThat(subscriber.getTopic()).isEqualTo(topic);
        assertThat(subscriber.getNoLocal()).isFalse();
        assertThat(texts(subscriber, 2)).containsExactly("a", "b");
    }

    @Test
    @Spec({"2.5", "2.6"})
    void shouldExchangeMessagesBetweenTheApis() throws JMSException {
        Queue queue = newQueue();
        QueueConnection connection =
                closedLater(provider().queueConnectionFactory().createQueueConnection());
        connection.start();
        QueueSession queues = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        JMSContext context = context();

        context.createProducer().send(queue, "from the simplified");
        assertThat(texts(queues.createReceiver(queue), 1)).containsExactly("from the simplified");
        Queue other = newQueue();
        send(session(), other, "from the classic");
        assertThat(context.createConsumer(other).receiveBody(String.class, PATIENCE_MS))
                .isEqualTo("from the classic");
    }

    @Test
    @Spec({"6.1", "2.8.2"})
    void shouldShareTheConnectionWithFurtherContexts() {
        Topic topic = newTopic();
        String clientId = newName();
        JMSContext first = context(clientId);
        JMSContext further = closedLater(first.createContext(JMSContext.SESSION_TRANSACTED));

        assertThat(further.getClientID()).isEqualTo(clientId);
        assertThat(further.getTransacted()).isTrue();
        assertThat(first.getTransacted()).isFalse();
        JMSConsumer noLocal = first.createConsumer(topic, null, true);
        further.createProducer().send(topic, "local");
        further.commit();
        context().createProducer().send(topic, "from elsewhere");
        assertThat(noLocal.receiveBody(String.class, PATIENCE_MS)).isEqualTo("from elsewhere");
    }

    @Test
    @Spec("6.1")
    void shouldMakeSessionsOfEachMode() throws JMSException {
        Connection connection = stopped();
        for (int mode :
                new int[] {
                    Session.AUTO_ACKNOWLEDGE,
                    Session.CLIENT_ACKNOWLEDGE,
                    Session.DUPS_OK_ACKNOWLEDGE
                }) {
            assertThat(connection.createSession(mode).getAcknowledgeMode()).isEqualTo(mode);
            assertThat(connection.createSession(false, mode).getAcknowledgeMode()).isEqualTo(mode);
            assertThat(context(mode).getSessionMode()).isEqualTo(mode);
        }
        assertThat(connection.createSession().getAcknowledgeMode())
                .isEqualTo(Session.AUTO_ACKNOWLEDGE);
        Session transacted = connection.createSession(true, Session.AUTO_ACKNOWLEDGE);
        assertThat(transacted.getTransacted()).isTrue();
        assertThat(transacted.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThat(connection.createSession(Session.SESSION_TRANSACTED).getTransacted()).isTrue();
    }

    @Test
    @Spec({"6.1", "10.2"})
    void shouldRefuseOtherModes() throws JMSException {
        Connection connection = stopped();

        assertThatThrownBy(() -> connection.createSession(17)).isInstanceOf(JMSException.class);
    }

    // ---- authentication

    @Test
    @Spec("6.1.1")
    void shouldTakeUserAndPassword() throws JMSException {
        ConnectionFactory factory = provider().connectionFactory();
        Credentials good = provider().acceptedCredentials();
        Queue queue = newQueue();
        try (Connection connection = factory.createConnection(good.user(), good.password());
                JMSContext context = factory.createContext(good.user(), good.password())) {
            send(connection.createSession(), queue, "a");
            assertThat(context.createConsumer(queue).receiveBody(String.class, PATIENCE_MS))
                    .isEqualTo("a");
        }
    }

    @Test
    @Requires(Feature.AUTHENTICATION)
    @Spec({"6.1.1", "10.3"})
    void shouldRefuseAWrongPassword() {
        ConnectionFactory factory = provider().connectionFactory();
        Credentials bad = provider().rejectedCredentials();

        assertThatThrownBy(() -> factory.createConnection(bad.user(), bad.password()))
                .isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> factory.createContext(bad.user(), bad.password()))
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }

    // ---- client ids

    @Test
    @Spec("6.1.2")
    void shouldTakeTheClientIdOfTheFactory() throws JMSException {
        String id = newName();
        Connection connection = connect(id);

        assertThat(connection.getClientID()).isEqualTo(id);
        assertThatThrownBy(() -> connection.setClientID(newName()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(connection.getClientID()).isEqualTo(id);
    }

    @Test
    @Spec("6.1.2")
    void shouldLetTheClientSetItFirstOfAll() throws JMSException {
        String id = newName();
        Connection connection = stopped();
        assertThat(connection.getClientID()).isNull();
        connection.setClientID(id);
        assertThat(connection.getClientID()).isEqualTo(id);

        JMSContext context = context();
        String other = newName();
        context.setClientID(other);
        assertThat(context.getClientID()).isEqualTo(other);
    }

    @Test
    @Spec("6.1.2")
    void shouldNotLetTheClientSetItLater() throws JMSException {
        Connection used = stopped();
        used.createSession();
        assertThatThrownBy(() -> used.setClientID(newName()))
                .isInstanceOf(IllegalStateException.class);
        Connection started = connect();
        assertThatThrownBy(() -> started.setClientID(newName()))
                .isInstanceOf(IllegalStateException.class);
        JMSContext context = context();
        context.createProducer();
        context.createConsumer(newQueue());
        assertThatThrownBy(() -> context.setClientID(newName()))
                .isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Spec("6.1.2")
    void shouldLetTheClientSetItOnce() throws JMSException {
        Connection connection = stopped();
        connection.setClientID(newName());

        assertThatThrownBy(() -> connection.setClientID(newName()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Spec({"6.1.2", "10.3"})
    void shouldGiveAClientIdToOneConnectionAtATime() throws JMSException {
        String id = newName();
        Connection first = connect(id);
        Connection second = stopped();

        assertThatThrownBy(() -> second.setClientID(id))
                .isInstanceOf(InvalidClientIDException.class);
        assertThatThrownBy(() -> provider().connectionFactory(id).createConnection())
                .isInstanceOf(JMSException.class);
        first.close();
        assertThat(connect(id).getClientID()).isEqualTo(id);
    }

    // ---- what connections tell

    @Test
    @Spec("6.1.6")
    void shouldTellItsVersions() throws JMSException {
        for (ConnectionMetaData data :
                new ConnectionMetaData[] {stopped().getMetaData(), context().getMetaData()}) {
            assertThat(data.getJMSMajorVersion()).isEqualTo(3);
            assertThat(data.getJMSMinorVersion()).isEqualTo(1);
            assertThat(data.getJMSVersion()).isEqualTo("3.1");
            assertThat(data.getJMSProviderName()).isNotBlank();
            assertThat(data.getProviderVersion()).isNotBlank();
            assertThat(data.getProviderMajorVersion()).isNotNegative();
            assertThat(data.getProviderMinorVersion()).isNotNegative();
        }
    }

    @Test
    @Spec("6.1.7")
    void shouldRememberItsExceptionListener() throws JMSException {
        Connection connection = stopped();
        assertThat(connection.getExceptionListener()).isNull();
        ExceptionListener listener = failure -> {};
        connection.setExceptionListener(listener);
        assertThat(connection.getExceptionListener()).isSameAs(listener);
        connection.setExceptionListener(null);
        assertThat(connection.getExceptionListener()).isNull();
        JMSContext context = context();
        context.setExceptionListener(listener);
        assertThat(context.getExceptionListener()).isSameAs(listener);
    }
}
