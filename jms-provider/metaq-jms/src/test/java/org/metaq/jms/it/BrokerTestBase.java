package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/**
 * One broker in this JVM for all tests of a class; destinations of their own for each. What a test
 * connects is closed behind it, and must leave no thread behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
abstract class BrokerTestBase {
    /** Long enough for a busy machine; nobody waits so long but for what does not come. */
    static final long PATIENCE_MS = 20_000;

    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Threads of clients: readers, and what connections and sessions start. */
    private static final Pattern CLIENT_THREAD =
            Pattern.compile("metaq-(reader-.*|\\d+-\\d+-\\d+-.*)");

    private final List<Connection> connections = new ArrayList<>();
    private final List<JMSContext> contexts = new ArrayList<>();
    private Path data;
    private BrokerServer server;

    @BeforeAll
    void startBroker(@TempDir Path directory) {
        data = directory.resolve("data");
        server = start(0);
    }

    private BrokerServer start(int port) {
        return BrokerServer.start(
                ServerConfig.builder()
                        .dataPath(data)
                        .port(port)
                        .bindAddress("127.0.0.1")
                        .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "16M")
                        .set(ConfigKey.MAX_MESSAGE_SIZE, "6M")
                        .build());
    }

    /** Ends the broker and starts it anew, at the same port: all connections are lost. */
    void restartBroker() {
        int port = server.port();
        server.close();
        server = start(port);
    }

    @AfterAll
    void stopBroker() {
        assertThat(server.failure()).as("the broker's failure").isNotDone();
        server.close();
    }

    @AfterEach
    void closeConnections() throws JMSException {
        contexts.forEach(JMSContext::close);
        for (Connection connection : connections) {
            connection.close();
        }
        contexts.clear();
        connections.clear();
        awaitNoClientThreads();
    }

    static void awaitNoClientThreads() {
        await().atMost(Duration.ofMillis(PATIENCE_MS))
                .untilAsserted(() -> assertThat(clientThreads()).isEmpty());
    }

    static List<String> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> CLIENT_THREAD.matcher(name).matches())
                .toList();
    }

    int port() {
        return server.port();
    }

    /** A factory, with options as in a URI: {@code clientId=a&prefetch=1}. */
    MetaQConnectionFactory factory(String options) {
        return new MetaQConnectionFactory(
                "metaq://127.0.0.1:" + port() + (options.isEmpty() ? "" : "?" + options));
    }

    <C extends Connection> C closedLater(C connection) {
        connections.add(connection);
        return connection;
    }

    <C extends JMSContext> C closedLater(C context) {
        contexts.add(context);
        return context;
    }

    /** A connection that is not started. */
    Connection stopped(String options) throws JMSException {
        return closedLater(factory(options).createConnection());
    }

    /** A started connection. */
    Connection connect(String options) throws JMSException {
        Connection connection = stopped(options);
        connection.start();
        return connection;
    }

    Connection connect() throws JMSException {
        return connect("");
    }

    XAConnection connectXa() throws JMSException {
        XAConnection connection = closedLater(factory("").createXAConnection());
        connection.start();
        return connection;
    }

    static MetaQQueue newQueue() {
        return new MetaQQueue("queue " + NAMES.incrementAndGet());
    }

    static MetaQTopic newTopic() {
        return new MetaQTopic("topic " + NAMES.incrementAndGet());
    }

    static String newName() {
        return "name-" + NAMES.incrementAndGet();
    }

    // ---- messages

    /** Sends texts from a connection of their own; they are stored when this returns. */
    void send(Destination destination, String... texts) throws JMSException {
        try (Connection connection = factory("").createConnection()) {
            send(connection.createSession(), destination, texts);
        }
    }

    /** Sends texts with a session. */
    static void send(Session session, Destination destination, String... texts)
            throws JMSException {
        MessageProducer producer = session.createProducer(destination);
        for (String text : texts) {
            producer.send(session.createTextMessage(text));
        }
        producer.close();
    }

    static String text(Message message) throws JMSException {
        assertThat(message).isInstanceOf(TextMessage.class);
        return ((TextMessage) message).getText();
    }

    /** The text with its delivery count, and an R if it is flagged as redelivered. */
    static String described(Message message) throws JMSException {
        return text(message)
                + "#"
                + message.getIntProperty("JMSXDeliveryCount")
                + (message.getJMSRedelivered() ? "R" : "");
    }

    /** The names in an enumeration, to which the API gives no type. */
    static List<String> namesIn(Enumeration<?> names) {
        List<String> found = new ArrayList<>();
        while (names.hasMoreElements()) {
            found.add((String) names.nextElement());
        }
        return found;
    }

    static Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).as("a message in time").isNotNull();
        return message;
    }

    static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(receive(consumer)));
        }
        return texts;
    }

    static List<String> described(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(described(receive(consumer)));
        }
        return texts;
    }

    /** Takes what a queue holds for a new connection, oldest first, described. */
    List<String> drain(Destination destination) throws JMSException {
        try (Connection connection = factory("").createConnection()) {
            connection.start();
            MessageConsumer consumer = connection.createSession().createConsumer(destination);
            List<String> texts = new ArrayList<>();
            for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
                texts.add(described(m));
            }
            return texts;
        }
    }

    /** As {@link #drain}, waiting until that many have come: for what is on its way. */
    List<String> drain(Destination destination, int count) throws JMSException {
        try (Connection connection = factory("").createConnection()) {
            connection.start();
            MessageConsumer consumer = connection.createSession().createConsumer(destination);
            List<String> texts = described(consumer, count);
            assertThat(consumer.receiveNoWait()).as("one too many").isNull();
            return texts;
        }
    }
}
