package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.core.ThrowingRunnable;
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

/**
 * One broker in this JVM for all tests of a class; destinations of their own for each. What a test
 * starts is closed behind it, and must leave no thread of our client behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
abstract class FrameworkTestBase {
    /** Long enough for a busy machine; nobody waits so long but for what does not come. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final Pattern CLIENT_THREAD =
            Pattern.compile("metaq-(reader-.*|\\d+-\\d+-\\d+-.*)");

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
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
                        .build());
    }

    @AfterAll
    void stopBroker() {
        assertThat(server.failure()).as("the broker's failure").isNotDone();
        server.close();
    }

    /** Stops the broker, so that every connection breaks, and starts it again at its port. */
    void restartBroker() {
        int port = server.port();
        stopBroker();
        server = start(port);
    }

    @AfterEach
    void closeWhatIsOpen() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        eventually(
                () ->
                        assertThat(
                                        Thread.getAllStackTraces().keySet().stream()
                                                .map(Thread::getName)
                                                .filter(CLIENT_THREAD.asMatchPredicate()))
                                .isEmpty());
    }

    /** Closed behind the test, last one first. */
    <C extends AutoCloseable> C closedLater(C what) {
        open.push(what);
        return what;
    }

    String uri() {
        return "metaq://127.0.0.1:" + server.port();
    }

    MetaQConnectionFactory factory() {
        return new MetaQConnectionFactory(uri());
    }

    static String newName(String kind) {
        return kind + "-" + NAMES.incrementAndGet();
    }

    static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).untilAsserted(assertion);
    }

    /** Sends texts without any framework. */
    void send(String queue, String... texts) {
        try (JMSContext context = factory().createContext()) {
            for (String text : texts) {
                context.createProducer().send(context.createQueue(queue), text);
            }
        }
    }

    /** What a queue holds, without any framework. */
    List<String> drain(String queue) throws JMSException {
        try (Connection connection = factory().createConnection()) {
            connection.start();
            MessageConsumer consumer =
                    connection.createSession().createConsumer(new MetaQQueue(queue));
            List<String> texts = new ArrayList<>();
            for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
                texts.add(m.getBody(String.class));
            }
            return texts;
        }
    }
}
