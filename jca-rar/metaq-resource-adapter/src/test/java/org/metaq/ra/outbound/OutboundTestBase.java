package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.BootstrapContext;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.ra.MetaQResourceAdapter;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/** A broker in this JVM; for each test a pool and a queue of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
abstract class OutboundTestBase {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** j2ee with the password j2ee. */
    private static final String USER =
            "j2ee=PBKDF2WithHmacSHA256$1000$Y2hvc2VuIGF0IHJhbmRvbQ==$pezHRfcqQb1EPU2GrQUQ/7LlQoXVb9Osloa7ewjizfY=";

    private static final AtomicInteger NAMES = new AtomicInteger();

    private Path directory;
    private BrokerServer broker;
    private final List<FakeServer> pools = new ArrayList<>();

    MetaQManagedConnectionFactory factory;
    FakeServer server;
    RaConnectionFactory application;
    RaQueue queue;

    @BeforeAll
    void startBroker(@TempDir Path ownDirectory) throws Exception {
        directory = ownDirectory;
        Files.writeString(directory.resolve("users"), USER + "\n");
        broker = start(0);
    }

    private BrokerServer start(int port) {
        return BrokerServer.start(
                ServerConfig.builder()
                        .dataPath(directory.resolve("data"))
                        .port(port)
                        .bindAddress("127.0.0.1")
                        .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "16M")
                        .set(ConfigKey.USERS, directory.resolve("users").toString())
                        .build());
    }

    @AfterAll
    void stopBroker() {
        assertThat(broker.failure()).as("the broker's failure").isNotDone();
        broker.close();
    }

    /** Ends the broker; all connections are lost. Gives back its port. */
    int stopBrokerNow() {
        int port = broker.port();
        broker.close();
        return port;
    }

    void startBrokerAgain(int port) {
        broker = start(port);
    }

    @BeforeEach
    void setUp() throws Exception {
        factory = newFactory(new MetaQManagedConnectionFactory());
        server = newPool();
        application = application(factory, server);
        queue = newQueue();
    }

    @AfterEach
    void closePools() throws Exception {
        for (FakeServer pool : pools) {
            pool.close();
        }
        pools.clear();
        await().atMost(PATIENCE).until(() -> factory.connectionCount() == 0);
    }

    String uri() {
        return "metaq://127.0.0.1:" + broker.port();
    }

    MetaQResourceAdapter newAdapter() {
        MetaQResourceAdapter adapter = new MetaQResourceAdapter();
        adapter.setConnectionUri(uri());
        return adapter;
    }

    /** Starts an adapter in a server that has only timers. */
    static MetaQResourceAdapter started(MetaQResourceAdapter adapter) throws ResourceException {
        Object context =
                Proxy.newProxyInstance(
                        BootstrapContext.class.getClassLoader(),
                        new Class<?>[] {BootstrapContext.class},
                        (proxy, method, arguments) ->
                                method.getReturnType() == Timer.class ? new Timer(true) : null);
        adapter.start((BootstrapContext) context);
        return adapter;
    }

    <F extends MetaQManagedConnectionFactory> F newFactory(F made) throws Exception {
        made.setResourceAdapter(newAdapter());
        return made;
    }

    FakeServer newPool() {
        FakeServer pool = new FakeServer();
        pools.add(pool);
        return pool;
    }

    static RaConnectionFactory application(MetaQManagedConnectionFactory factory, FakeServer pool) {
        return (RaConnectionFactory) factory.createConnectionFactory(pool);
    }

    static RaQueue newQueue() {
        RaQueue made = new RaQueue();
        made.setName("queue" + NAMES.incrementAndGet());
        return made;
    }

    // ---- what an application does

    void send(String text) throws JMSException {
        try (Connection connection = application.createConnection();
                Session session = connection.createSession()) {
            session.createProducer(queue).send(session.createTextMessage(text));
        }
    }

    /** The text of the next message that comes in time; null: none. */
    String receive(long timeoutMs) throws JMSException {
        try (Connection connection = application.createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(queue)) {
            connection.start();
            return text(consumer.receive(timeoutMs));
        }
    }

    static String text(Message message) throws JMSException {
        return message == null ? null : ((TextMessage) message).getText();
    }

    /** What is in the queue, as one sees who has nothing to do with the resource adapter. */
    List<String> texts() throws JMSException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = new MetaQConnectionFactory(uri()).createConnection();
                Session session = connection.createSession();
                var browser = session.createBrowser(queue)) {
            var messages = browser.getEnumeration();
            while (messages.hasMoreElements()) {
                texts.add(text((Message) messages.nextElement()));
            }
        }
        return texts;
    }
}
