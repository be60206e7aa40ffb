package org.metaq.conformance.metaq;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.metaq.conformance.Feature;
import org.metaq.conformance.ProviderUnderTest;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.server.BrokerServer;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/** MetaQ: a whole broker in this JVM, spoken to through its socket. */
public final class MetaQProvider implements ProviderUnderTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Line of a users file: the user whom the suite takes for accepted, hashed few times. */
    private static final String USER =
            "user=PBKDF2WithHmacSHA256$1000$Y2hvc2VuIGF0IHJhbmRvbQ==$NnhWeSPW1kuoGHZ3ZQ5NWFB49LE+AqRuZRP65JQt2cQ=";

    private static final Credentials REJECTED = new Credentials("nobody", "wrong");

    private final Path directory;
    private BrokerServer server;

    /** Starts a broker with a data directory of its own. */
    public MetaQProvider() throws IOException {
        directory = Files.createTempDirectory("conformance");
        Files.writeString(directory.resolve("users"), USER + "\n");
        server = start(0);
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

    private MetaQConnectionFactory factory(String options) {
        return new MetaQConnectionFactory("metaq://127.0.0.1:" + server.port() + options);
    }

    @Override
    public String name() {
        return "MetaQ JMS";
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.allOf(Feature.class);
    }

    @Override
    public Map<String, String> knownDifferences() {
        return Map.of();
    }

    @Override
    public ConnectionFactory connectionFactory() {
        return factory("");
    }

    @Override
    public ConnectionFactory connectionFactory(String clientId) {
        return factory("?clientId=" + clientId);
    }

    @Override
    public QueueConnectionFactory queueConnectionFactory() {
        return factory("");
    }

    @Override
    public TopicConnectionFactory topicConnectionFactory() {
        return factory("");
    }

    @Override
    public XAConnectionFactory xaConnectionFactory() {
        return factory("");
    }

    @Override
    public Queue newQueue() {
        return new MetaQQueue("queue " + NAMES.incrementAndGet());
    }

    @Override
    public Topic newTopic() {
        return new MetaQTopic("topic " + NAMES.incrementAndGet());
    }

    @Override
    public Credentials rejectedCredentials() {
        return REJECTED;
    }

    @Override
    public void restartBroker() {
        int port = server.port();
        server.close();
        server = start(port);
    }

    /** Stops the broker and deletes its data; fails if the broker had failed. */
    @Override
    public void close() {
        boolean isFailed = server.failure().isDone();
        server.close();
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + directory, e);
        }
        if (isFailed) {
            throw new IllegalStateException("the broker failed; see its log");
        }
    }
}
