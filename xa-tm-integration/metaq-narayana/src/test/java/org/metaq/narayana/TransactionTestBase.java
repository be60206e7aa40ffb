package org.metaq.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;
import org.metaq.tm.TransactionalConnectionFactory;

/**
 * A broker in this JVM, and Narayana. Each test has a queue and a pool of its own; it must leave
 * its thread without a transaction and the pool with no connection in use.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
abstract class TransactionTestBase {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final AtomicInteger NAMES = new AtomicInteger();

    final TransactionManager manager = Narayana.transactionManager();

    private final Deque<TransactionalConnectionFactory> factories = new ArrayDeque<>();
    private RecoveryManager recovery;
    private BrokerServer server;

    @BeforeAll
    void startBroker(@TempDir Path directory) {
        recovery = Narayana.recoveryManager(directory.resolve("log"));
        server =
                BrokerServer.start(
                        ServerConfig.builder()
                                .dataPath(directory.resolve("data"))
                                .port(0)
                                .bindAddress("127.0.0.1")
                                .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "16M")
                                .build());
    }

    @AfterAll
    void stopBroker() {
        assertThat(server.failure()).as("the broker's failure").isNotDone();
        server.close();
        recovery.terminate();
    }

    @AfterEach
    void requireThatAllIsGivenBack() throws Exception {
        boolean isLeft = manager.getTransaction() != null;
        if (isLeft) {
            manager.rollback();
        }
        assertThat(isLeft).as("a transaction is left").isFalse();
        for (TransactionalConnectionFactory factory : factories) {
            assertThat(factory.idleConnectionCount()).isEqualTo(factory.connectionCount());
            factory.close();
            assertThat(factory.connectionCount()).isZero();
        }
        factories.clear();
    }

    MetaQConnectionFactory provider() {
        return new MetaQConnectionFactory(uri());
    }

    String uri() {
        return "metaq://127.0.0.1:" + server.port();
    }

    TransactionalConnectionFactory factory() {
        return factory(options -> {});
    }

    TransactionalConnectionFactory factory(
            Consumer<TransactionalConnectionFactory.Builder> options) {
        return factory(provider(), options);
    }

    TransactionalConnectionFactory factory(
            MetaQConnectionFactory below,
            Consumer<TransactionalConnectionFactory.Builder> options) {
        TransactionalConnectionFactory made = MetaQNarayana.connectionFactory(below, options);
        factories.add(made);
        return made;
    }

    /** Scans of Narayana are where a test asks for one. */
    void scan() {
        recovery.scan();
    }

    static MetaQQueue newQueue() {
        return new MetaQQueue("queue-" + NAMES.incrementAndGet());
    }

    /** Opens a connection and a session, sends, and closes both. */
    static void send(ConnectionFactory factory, MetaQQueue queue, String text) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            session.createProducer(queue).send(session.createTextMessage(text));
        }
    }

    /** Opens a connection and a session, receives, and closes both. */
    static String receive(ConnectionFactory factory, MetaQQueue queue) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(queue)) {
            connection.start();
            Message message = consumer.receive(PATIENCE.toMillis());
            return message == null ? null : message.getBody(String.class);
        }
    }

    /** As {@link #send}, with a context. */
    static void sendByContext(ConnectionFactory factory, MetaQQueue queue, String text) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().setPriority(5).send(queue, text);
        }
    }

    List<String> drain(MetaQQueue queue) {
        return drain(uri(), queue);
    }

    /** What is in a queue of a broker, as others see it; takes it out. */
    static List<String> drain(String uri, MetaQQueue queue) {
        try (JMSContext context = new MetaQConnectionFactory(uri).createContext()) {
            List<String> texts = new ArrayList<>();
            var consumer = context.createConsumer(queue);
            for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
                texts.add(m.getBody(String.class));
            }
            return texts;
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }
}
