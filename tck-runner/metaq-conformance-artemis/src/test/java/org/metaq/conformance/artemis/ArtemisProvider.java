package org.metaq.conformance.artemis;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQQueue;
import org.apache.activemq.artemis.jms.client.ActiveMQQueueConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQTopic;
import org.apache.activemq.artemis.jms.client.ActiveMQTopicConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQXAConnectionFactory;
import org.metaq.conformance.Feature;
import org.metaq.conformance.ProviderUnderTest;

/** Apache ActiveMQ Artemis: a broker in this JVM, spoken to through its socket. */
public final class ArtemisProvider implements ProviderUnderTest {
    private static final Map<String, String> DIFFERENCES = differences();
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Path directory;
    private final int port;
    private EmbeddedActiveMQ broker;

    /** Starts a broker with a data directory of its own. */
    public ArtemisProvider() throws IOException {
        directory = Files.createTempDirectory("conformance");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        broker = start();
    }

    private EmbeddedActiveMQ start() {
        EmbeddedActiveMQ started = new EmbeddedActiveMQ();
        try {
            started.setConfiguration(configuration());
            started.start();
        } catch (Exception e) {
            throw new IllegalStateException("the broker does not start", e);
        }
        return started;
    }

    private Configuration configuration() throws Exception {
        AddressSettings all = new AddressSettings();
        all.setRedeliveryDelay(0);
        all.setMaxDeliveryAttempts(-1);
        all.setAutoDeleteQueues(false);
        all.setAutoDeleteAddresses(false);
        return new ConfigurationImpl()
                .setName("peer")
                .setSecurityEnabled(false)
                .setJournalType(JournalType.NIO)
                .setJournalFileSize(1 << 20)
                .setJournalBufferTimeout_NIO(100_000)
                .setJournalDirectory(directory.resolve("journal").toString())
                .setBindingsDirectory(directory.resolve("bindings").toString())
                .setPagingDirectory(directory.resolve("paging").toString())
                .setLargeMessagesDirectory(directory.resolve("large").toString())
                .setMaxDiskUsage(-1)
                .addAcceptorConfiguration("core", "tcp://127.0.0.1:" + port + "?protocols=CORE")
                .addAddressSetting("#", all);
    }

    private String url() {
        // Without a confirmation window completions are told at once, and not when durable.
        return "tcp://127.0.0.1:" + port + "?confirmationWindowSize=1048576";
    }

    @Override
    public String name() {
        return "Apache ActiveMQ Artemis";
    }

    @Override
    public Set<Feature> features() {
        // Its client has no connection consumers: they are "not supported".
        return EnumSet.complementOf(
                EnumSet.of(Feature.AUTHENTICATION, Feature.CONNECTION_CONSUMER));
    }

    @Override
    public Map<String, String> knownDifferences() {
        return DIFFERENCES;
    }

    /** Lines {@code key -> reason}; others than comments have to have that form. */
    private static Map<String, String> differences() {
        try (InputStream in = ArtemisProvider.class.getResourceAsStream("/differences.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" -> "))
                    .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        } catch (IOException e) {
            throw new UncheckedIOException("differences.txt", e);
        }
    }

    @Override
    public ConnectionFactory connectionFactory() {
        return new ActiveMQConnectionFactory(url());
    }

    @Override
    public ConnectionFactory connectionFactory(String clientId) {
        return new ActiveMQConnectionFactory(url() + "&clientID=" + clientId);
    }

    @Override
    public QueueConnectionFactory queueConnectionFactory() {
        return new ActiveMQQueueConnectionFactory(url());
    }

    @Override
    public TopicConnectionFactory topicConnectionFactory() {
        return new ActiveMQTopicConnectionFactory(url());
    }

    @Override
    public XAConnectionFactory xaConnectionFactory() {
        return new ActiveMQXAConnectionFactory(url());
    }

    @Override
    public Queue newQueue() {
        return new ActiveMQQueue("queue" + NAMES.incrementAndGet());
    }

    @Override
    public Topic newTopic() {
        return new ActiveMQTopic("topic" + NAMES.incrementAndGet());
    }

    @Override
    public void restartBroker() {
        stop();
        broker = start();
    }

    private void stop() {
        try {
            broker.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the broker does not stop", e);
        }
    }

    /** Stops the broker and deletes its data. */
    @Override
    public void close() {
        stop();
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + directory, e);
        }
    }
}
