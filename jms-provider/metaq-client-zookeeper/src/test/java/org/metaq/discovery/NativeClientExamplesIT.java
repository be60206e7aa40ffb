package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.TestBroker;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.cluster.Partition;
import org.metaq.client.consume.ConsumerOptions;
import org.metaq.client.consume.DeadLetterTopic;
import org.metaq.client.consume.GroupConsumer;
import org.metaq.client.consume.LocalRecovery;
import org.metaq.client.consume.PullResult;
import org.metaq.client.consume.Puller;
import org.metaq.client.consume.ReceivedMessage;
import org.metaq.client.consume.StartPosition;
import org.metaq.client.offset.FileOffsetStorage;
import org.metaq.client.offset.JdbcOffsetStorage;
import org.metaq.client.publish.Message;
import org.metaq.client.publish.PartitionSelector;
import org.metaq.client.publish.Publisher;
import org.metaq.client.publish.PublisherOptions;
import org.metaq.client.publish.PublisherOptions.WhenFull;
import org.metaq.client.publish.SendResult;

/** The examples of {@code docs/native-client.md}, run, and compared with the page. */
class NativeClientExamplesIT {
    private static final Path PAGE = Path.of("../../docs/native-client.md");
    private static final Path SOURCE =
            Path.of("src/test/java/org/metaq/discovery/NativeClientExamplesIT.java");

    @TempDir private static Path directory;
    private static TestBroker broker;

    private final List<String> handled = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = TestBroker.start(directory, 0, 2);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private void handle(ReceivedMessage message) {
        handled.add(new String(message.payload(), UTF_8));
    }

    private void awaitHandled(String text) {
        await().atMost(Duration.ofSeconds(30)).until(() -> handled.contains(text));
    }

    @Test
    void shouldPublish() throws Exception {
        String url = "metaq://" + broker.address();
        byte[] payload = "1".getBytes(UTF_8);

        try (Cluster cluster = Cluster.of(url);
                Publisher publisher = new Publisher(cluster)) {
            SendResult sent = publisher.send(Message.of("orders", payload));
            CompletableFuture<SendResult> later =
                    publisher.sendAsync(Message.of("orders", payload).withAttribute("express"));
            later.thenAccept(result -> handled.add(result.partition() + "@" + result.offset()));

            assertThat(sent.partition()).isNotEqualTo(later.get(30, TimeUnit.SECONDS).partition());
            await().until(() -> handled.size() == 1);
        }
    }

    @Test
    void shouldPublishWithOptions() throws Exception {
        try (Cluster cluster = Cluster.of("metaq://" + broker.address())) {
            byte[] payload = "1".getBytes(UTF_8);

            PublisherOptions options =
                    PublisherOptions.DEFAULTS
                            .withSelector(PartitionSelector.keyHash())
                            .withInFlightMax(1_000, 1024 * 1024, WhenFull.FAIL);
            try (Publisher publisher = new Publisher(cluster, options)) {
                SendResult sent =
                        publisher.send(Message.of("accounts", payload).withKey("customer-7"));
                assertThat(sent.offset()).isZero();
            }
        }
    }

    @Test
    void shouldPull() throws Exception {
        try (Cluster cluster = Cluster.of("metaq://" + broker.address());
                Publisher publisher = new Publisher(cluster)) {
            publisher.send(Message.of("pulled", "1".getBytes(UTF_8)));
            publisher.send(Message.of("pulled", "2".getBytes(UTF_8)));

            Puller puller = new Puller(cluster);
            for (Partition partition : puller.partitions("pulled")) {
                Instant hourAgo = Instant.now().minusSeconds(3600);
                long offset = puller.offsetAt("pulled", partition, hourAgo);
                while (offset < puller.tailOffset("pulled", partition)) {
                    PullResult result = puller.pull("pulled", partition, offset, 64 * 1024);
                    result.messages().forEach(this::handle);
                    offset = result.nextOffset();
                }
            }

            assertThat(handled).containsExactlyInAnyOrder("1", "2");
        }
    }

    @Test
    void shouldConsumeAlone() throws Exception {
        try (Cluster cluster = Cluster.of("metaq://" + broker.address());
                Publisher publisher = new Publisher(cluster)) {
            Path file = directory.resolve("offsets.properties");

            try (FileOffsetStorage offsets = new FileOffsetStorage(file);
                    GroupConsumer consumer =
                            GroupConsumer.of(cluster, "billing")
                                    .offsets(offsets)
                                    .options(
                                            ConsumerOptions.DEFAULTS.withStart(
                                                    StartPosition.head()))
                                    .rejectPolicy(new DeadLetterTopic(publisher))
                                    .subscribe("alone", this::handle)
                                    .start()) {
                publisher.send(Message.of("alone", "bill".getBytes(UTF_8)));
                awaitHandled("bill");
                assertThat(consumer.partitions()).hasSize(2);
            }
        }
    }

    @Test
    void shouldConsumeBatches() throws Exception {
        try (Cluster cluster = Cluster.of("metaq://" + broker.address());
                Publisher publisher = new Publisher(cluster)) {
            Path directoryOfRejected = directory.resolve("rejected");
            DataSource dataSource = dataSource();

            try (GroupConsumer consumer =
                    GroupConsumer.of(cluster, "archive")
                            .offsets(new JdbcOffsetStorage(dataSource))
                            .rejectPolicy(new LocalRecovery(directoryOfRejected))
                            .subscribeBatches(
                                    "batches",
                                    batch -> {
                                        for (ReceivedMessage message : batch.messages()) {
                                            handle(message);
                                            batch.acknowledge(message);
                                        }
                                    })
                            .start()) {
                publisher.send(Message.of("batches", "file".getBytes(UTF_8)));
                awaitHandled("file");
                assertThat(consumer.partitions()).hasSize(2);
            }
        }
    }

    private static DataSource dataSource() throws Exception {
        org.h2.jdbcx.JdbcDataSource source = new org.h2.jdbcx.JdbcDataSource();
        source.setURL("jdbc:h2:mem:examples;DB_CLOSE_DELAY=-1");
        try (var in = JdbcOffsetStorage.class.getResourceAsStream("offsets.sql");
                var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(new String(in.readAllBytes(), UTF_8));
        }
        return source;
    }

    @Test
    void shouldBroadcast() throws Exception {
        try (Cluster cluster = Cluster.of("metaq://" + broker.address());
                Publisher publisher = new Publisher(cluster)) {
            Path offsetFile = directory.resolve("news.properties");

            try (GroupConsumer consumer =
                    GroupConsumer.of(cluster, "news")
                            .broadcast(offsetFile)
                            .subscribe("prices", this::handle)
                            .start()) {
                publisher.send(Message.of("prices", "17".getBytes(UTF_8)));
                awaitHandled("17");
                assertThat(consumer.partitions()).hasSize(2);
            }
        }
    }

    @Test
    void shouldShareThroughZooKeeper() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework curator =
                        CuratorFrameworkFactory.newClient(
                                server.getConnectString(), new RetryOneTime(100))) {
            curator.start();
            try (RegisteredBroker registered =
                    new RegisteredBroker(curator, directory, 1, 2, "shared")) {
                registered.register();
                String zkConnect = server.getConnectString();

                try (ZooKeeperRegistry registry = ZooKeeperRegistry.connect(zkConnect);
                        Cluster cluster = Cluster.of(registry.discovery());
                        Publisher publisher = new Publisher(cluster);
                        GroupConsumer consumer =
                                GroupConsumer.of(cluster, "billing")
                                        .coordinator(registry.coordinator())
                                        .offsets(registry.offsets())
                                        .subscribe("shared", this::handle)
                                        .start()) {
                    publisher.send(Message.of("shared", "all".getBytes(UTF_8)));
                    awaitHandled("all");
                    assertThat(consumer.partitions()).hasSize(2);
                }
            }
        }
    }

    @Test
    void shouldBeWhatThePageShows() throws Exception {
        String source = flat(Files.readString(SOURCE));
        Matcher examples =
                Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(Files.readString(PAGE));
        List<String> missing = new ArrayList<>();
        int count = 0;
        while (examples.find()) {
            count++;
            String example = flat(examples.group(1));
            if (!source.contains(example)) {
                missing.add(example);
            }
        }
        assertThat(count).isEqualTo(7);
        assertThat(missing).isEmpty();
    }

    /** Without the indentation and the empty lines. */
    private static String flat(String text) {
        return text.replaceAll("(?m)^\\s+", "").trim();
    }
}
