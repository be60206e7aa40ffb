package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.resource.ResourceException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/**
 * A broker and a container in this JVM. Each test has destinations of its own; what it activates is
 * stopped behind it, and must leave no thread, work or endpoint behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
abstract class EndpointTestBase {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** What adapters of tests have for their end. */
    static final Duration STOP_MAX = Duration.ofSeconds(3);

    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Of connections, of what closes them, and of the container's timer. */
    private static final Pattern OUR_THREAD =
            Pattern.compile("metaq-(reader-.*|\\d+-\\d+-\\d+-.*|ra-.*)|container-timer");

    private final List<FakeBean> beans = new ArrayList<>();
    private Path data;
    private BrokerServer server;
    private int port;
    MetaQQueue queue;
    FakeContainer container;
    Endpoints endpoints;

    @BeforeAll
    void startBroker(@TempDir Path directory) {
        data = directory.resolve("data");
        restartBroker();
    }

    /** Starts it again, at the same port. */
    void restartBroker() {
        server =
                BrokerServer.start(
                        ServerConfig.builder()
                                .dataPath(data)
                                .port(port)
                                .bindAddress("127.0.0.1")
                                .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "16M")
                                .build());
        port = server.port();
    }

    /** All connections are lost. */
    void stopBroker() {
        server.close();
    }

    @AfterAll
    void endBroker() {
        assertThat(server.failure()).as("the broker's failure").isNotDone();
        server.close();
    }

    @BeforeEach
    void startAdapter() throws ResourceException {
        queue = newQueue();
        container = new FakeContainer();
        endpoints = newAdapter();
    }

    Endpoints newAdapter() throws ResourceException {
        return new Endpoints(container, () -> new BrokerAccess(uri(), "", ""), STOP_MAX.toMillis());
    }

    String uri() {
        return "metaq://127.0.0.1:" + port;
    }

    @AfterEach
    void stopAdapter() {
        endpoints.stop();
        container.close();
        eventually(
                () -> {
                    assertThat(ourThreads()).isEmpty();
                    assertThat(container.running()).isZero();
                    for (FakeBean bean : beans) {
                        assertThat(bean.endpoints()).as("endpoints not released").isZero();
                    }
                });
        beans.clear();
    }

    static List<String> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> OUR_THREAD.matcher(name).matches())
                .toList();
    }

    // ---- endpoints

    static MetaQQueue newQueue() {
        return new MetaQQueue("queue " + NAMES.incrementAndGet());
    }

    static MetaQTopic newTopic() {
        return new MetaQTopic("topic " + NAMES.incrementAndGet());
    }

    static MetaQActivationSpec spec(MetaQQueue queue) {
        return spec("jakarta.jms.Queue", queue.getQueueName());
    }

    static MetaQActivationSpec spec(MetaQTopic topic) {
        return spec("jakarta.jms.Topic", topic.getTopicName());
    }

    static MetaQActivationSpec spec(String type, String name) {
        MetaQActivationSpec spec = new MetaQActivationSpec();
        spec.setDestinationType(type);
        spec.setDestination(name);
        spec.setRedeliveryDelay(1L);
        spec.setReconnectDelay(20L);
        spec.setReconnectMaxDelay(100L);
        return spec;
    }

    FakeBean activate(FakeBean bean, MetaQActivationSpec spec) throws ResourceException {
        return activate(endpoints, bean, spec);
    }

    FakeBean activate(Endpoints adapter, FakeBean bean, MetaQActivationSpec spec)
            throws ResourceException {
        beans.add(bean);
        adapter.activate(bean, spec);
        return bean;
    }

    static void eventually(ThrowingRunnable asserted) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).untilAsserted(asserted);
    }

    static void awaitDone(FakeBean bean, String... described) {
        eventually(() -> assertThat(bean.done).containsExactlyInAnyOrder(described));
    }

    // ---- messages

    MetaQConnectionFactory factory() {
        return new MetaQConnectionFactory(uri());
    }

    void send(Destination destination, String... texts) throws JMSException {
        send(destination, List.of(texts));
    }

    void send(Destination destination, Collection<String> texts) throws JMSException {
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(destination)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** Takes so many messages. */
    List<Message> take(Destination destination, int count) throws JMSException {
        List<Message> taken = new ArrayList<>();
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(destination)) {
            connection.start();
            for (int i = 0; i < count; i++) {
                Message message = consumer.receive(PATIENCE.toMillis());
                assertThat(message).as("message %s of %s", i + 1, count).isNotNull();
                taken.add(message);
            }
        }
        return taken;
    }

    /** What a queue still holds for others. */
    void assertEmpty(MetaQQueue queue) throws JMSException {
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(queue)) {
            connection.start();
            assertThat(consumer.receiveNoWait()).as("left in %s", queue).isNull();
        }
    }
}
