package org.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.protocol.Command;

/** What opening objects costs, counted in commands; nobody waits for the acquires of consumers. */
@Timeout(60)
class RoundTripsTest {
    private MemoryBroker broker;
    private Connection connection;

    @BeforeEach
    void connect() throws Exception {
        broker = new MemoryBroker();
        connection = new MetaQConnectionFactory(broker.uri("")).createConnection();
        broker.commands.clear();
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        broker.close();
    }

    private List<String> commands() {
        List<String> words =
                broker.commands.stream().map(c -> c.getClass().getSimpleName()).toList();
        broker.commands.clear();
        return words;
    }

    @Test
    void shouldCostNothingToOpenASessionAndToStartAndStop() throws Exception {
        connection.createSession();
        connection.createSession(true, Session.SESSION_TRANSACTED);
        connection.createSession(Session.CLIENT_ACKNOWLEDGE).close();
        connection.start();
        connection.stop();
        connection.start();
        assertThat(commands()).isEmpty();
    }

    @Test
    void shouldCostOneCommandToOpenAProducerAndNoneForTheNext() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("q");
        session.createProducer(queue).close();
        assertThat(commands()).containsExactly("Resolve");
        session.createProducer(queue);
        session.createProducer(null);
        connection.createSession().createProducer(queue).close();
        assertThat(commands()).isEmpty();
    }

    @Test
    void shouldCostOneCommandToOpenAConsumerAndOneToCloseIt() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("q");
        Topic topic = session.createTopic("t");
        session.createConsumer(queue);
        session.createConsumer(topic);
        session.createSharedDurableConsumer(topic, "shared");
        assertThat(commands()).containsExactly("Subscribe", "Subscribe", "Subscribe");
        session.close();
        assertThat(commands()).containsExactly("CloseConsumer", "CloseConsumer", "CloseConsumer");
    }

    @Test
    void shouldCostNothingToOpenABrowser() throws Exception {
        Session session = connection.createSession();
        session.createBrowser(session.createQueue("q"));
        assertThat(broker.commands).noneMatch(Command.Browse.class::isInstance);
        assertThat(commands()).hasSizeLessThanOrEqualTo(1);
    }
}
