package org.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.protocol.Command;

/** What an endpoint's session tells the broker. */
@Timeout(60)
class EndpointSessionTest {
    private MemoryBroker broker;
    private MetaQXAConnection connection;
    private Queue queue;

    @BeforeEach
    void connect() throws Exception {
        broker = new MemoryBroker();
        connection = new MetaQConnectionFactory(broker.uri("")).createXAConnection();
        connection.start();
        try (Session sender = connection.createSession()) {
            queue = sender.createQueue("q");
            MessageProducer producer = sender.createProducer(queue);
            for (int i = 0; i < 3; i++) {
                producer.send(sender.createTextMessage("m" + i));
            }
        }
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        broker.close();
    }

    private EndpointSession lazy() throws JMSException {
        return connection.createEndpointSession(
                queue, null, EndpointSubscription.UNNAMED, Session.DUPS_OK_ACKNOWLEDGE, () -> {});
    }

    private static void deal(EndpointSession session, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            assertThat(session.awaitNext(5_000)).isTrue();
            assertThat(session.next()).isNotNull();
            session.returned(null);
        }
    }

    @Test
    void shouldAcknowledgeSeveralMessagesTogetherWhenNothingIsLeft() throws Exception {
        EndpointSession session = lazy();
        deal(session, 3);
        assertThat(broker.commands(Command.Acknowledge.class)).isEmpty();
        assertThat(session.next()).isNull();
        await().until(() -> !broker.commands(Command.Acknowledge.class).isEmpty());
        assertThat(broker.commands(Command.Acknowledge.class)).hasSize(1);
        assertThat(broker.acquiredCount("q")).isZero();
        assertThat(broker.availableCount("q")).isZero();
    }

    @Test
    void shouldAcknowledgeWhatIsDoneWhenPaused() throws Exception {
        EndpointSession session = lazy();
        deal(session, 2);
        session.pause();
        await().until(() -> !broker.commands(Command.Acknowledge.class).isEmpty());
        await().until(() -> broker.acquiredCount("q") == 0);
        assertThat(broker.availableCount("q")).isEqualTo(1);
    }
}
