package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Feature;
import org.metaq.conformance.Requires;
import org.metaq.conformance.Spec;

/** §9.2 and §10: methods of the other domain, and exceptions. */
class DomainIT extends ConformanceTest {
    private static void shouldBeIllegal(List<ThrowingCallable> calls) {
        assertThat(calls)
                .allSatisfy(
                        call -> assertThatThrownBy(call).isInstanceOf(IllegalStateException.class));
    }

    @Test
    @Spec({"9.2", "10.3"})
    void shouldRefuseMethodsOfTopicsInQueueSessions() throws JMSException {
        QueueConnection connection =
                closedLater(provider().queueConnectionFactory().createQueueConnection());
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        Topic topic = newTopic();

        shouldBeIllegal(
                List.of(
                        () -> session.createDurableSubscriber(topic, "s"),
                        () -> session.createDurableSubscriber(topic, "s", null, false),
                        () -> session.createDurableConsumer(topic, "s"),
                        () -> session.createDurableConsumer(topic, "s", null, false),
                        () -> session.createSharedConsumer(topic, "s"),
                        () -> session.createSharedConsumer(topic, "s", null),
                        () -> session.createSharedDurableConsumer(topic, "s"),
                        () -> session.createSharedDurableConsumer(topic, "s", null),
                        session::createTemporaryTopic,
                        () -> session.createTopic("t"),
                        () -> session.unsubscribe("s")));
    }

    @Test
    @Spec({"9.2", "10.3"})
    void shouldRefuseMethodsOfQueuesInTopicSessions() throws JMSException {
        TopicConnection connection =
                closedLater(provider().topicConnectionFactory().createTopicConnection());
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        Queue queue = newQueue();

        shouldBeIllegal(
                List.of(
                        () -> session.createBrowser(queue),
                        () -> session.createBrowser(queue, null),
                        () -> session.createQueue("q"),
                        session::createTemporaryQueue));
    }

    @Test
    @Requires(Feature.CONNECTION_CONSUMER)
    @Spec({"9.2", "10.3"})
    void shouldRefuseConsumersOfSubscriptionsInQueueConnections() throws JMSException {
        QueueConnection connection =
                closedLater(provider().queueConnectionFactory().createQueueConnection());
        Topic topic = newTopic();

        shouldBeIllegal(
                List.of(
                        () -> connection.createSharedConnectionConsumer(topic, "s", null, null, 1),
                        () -> connection.createDurableConnectionConsumer(topic, "s", null, null, 1),
                        () ->
                                connection.createSharedDurableConnectionConsumer(
                                        topic, "s", null, null, 1)));
    }

    @Test
    @Spec({"10.2", "10.3"})
    void shouldThrowCheckedExceptionsWithATextFromTheClassicApi() throws JMSException {
        Session session = session();

        assertThatThrownBy(() -> session.createConsumer(null))
                .isInstanceOf(InvalidDestinationException.class)
                .isInstanceOf(JMSException.class)
                .hasMessageMatching("(?s).+");
        assertThatThrownBy(session::commit)
                .isInstanceOf(JMSException.class)
                .hasMessageMatching("(?s).+");
    }

    @Test
    @Spec({"10.2", "10.3", "2.8.2"})
    void shouldThrowUncheckedExceptionsWithATextFromTheSimplifiedApi() {
        JMSContext context = context();

        assertThatThrownBy(() -> context.createConsumer(null))
                .isInstanceOf(InvalidDestinationRuntimeException.class)
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessageMatching("(?s).+");
        assertThatThrownBy(context::commit)
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessageMatching("(?s).+");
    }

    @Test
    @Spec("10.3")
    void shouldRefuseDestinationsThatAreNoMore() throws JMSException {
        Session session = session();
        TemporaryQueue queue = session.createTemporaryQueue();
        queue.delete();

        assertThatThrownBy(() -> session.createConsumer(queue))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> send(session, queue, "a"))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    @Spec("10.3")
    void shouldTellTheUnexpectedEndOfAStream() throws JMSException {
        Session session = session();
        StreamMessage stream = session.createStreamMessage();
        stream.writeInt(1);
        StreamMessage received = (StreamMessage) sent(session, stream);
        assertThat(received.readInt()).isEqualTo(1);

        assertThatThrownBy(received::readInt).isInstanceOf(MessageEOFException.class);
    }
}
