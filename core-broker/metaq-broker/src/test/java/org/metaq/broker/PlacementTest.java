package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.TestBroker.Client;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.Command;

class PlacementTest {
    @TempDir Path temp;
    private Path root;
    private Path elsewhere;

    @BeforeEach
    void choosePlaces() {
        root = temp.resolve("data");
        elsewhere = temp.resolve("second disk");
    }

    private static TopicSettings settings(int numPartitions, String dataPath) {
        TopicSettings d = TopicSettings.defaults(numPartitions);
        return new TopicSettings(
                numPartitions,
                true,
                true,
                false,
                d.deletePolicy(),
                d.deleteWhen(),
                0,
                false,
                0,
                d.unflushIntervalMs(),
                dataPath,
                Map.of());
    }

    private TopicCatalog catalog(int numPartitions) {
        return new TopicCatalog(
                TopicSettings.defaults(1),
                Map.of("orders", settings(numPartitions, elsewhere.toString())));
    }

    private TestBroker start(TopicCatalog topics) {
        BrokerConfig d = BrokerConfig.defaults(1);
        return new TestBroker(
                root,
                new BrokerConfig(
                        1,
                        topics,
                        true,
                        d.maxMessageSizeBytes(),
                        d.maxTransactionSizeBytes(),
                        d.transactionMemoryBytes(),
                        d.transactionTimeoutMs(),
                        d.outcomeRetentionMs(),
                        d.outcomeCountMax(),
                        d.checkpointBytes(),
                        d.checkpointIntervalMs(),
                        1000,
                        d.maxTransferSizeBytes(),
                        true,
                        0));
    }

    private static long endSequence(TestBroker broker, String name) {
        Topic topic = broker.broker.state().topic(name);
        assertThat(topic).isNotNull();
        return topic.partitions().stream().mapToLong(p -> p.log().endSequence()).sum();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> String.valueOf(entry.getFileName())).sorted().toList();
        }
    }

    private static void send(Client client, int count) {
        for (int i = 0; i < count; i++) {
            client.send("orders", "x".repeat(600));
        }
    }

    @Test
    void shouldKeepPartitionsOfATopicWhereItsDataPathSays() throws IOException {
        TestBroker broker = start(catalog(2));
        send(broker.connect(), 6);

        assertThat(names(elsewhere)).containsExactly("orders-0", "orders-1");
        assertThat(names(elsewhere.resolve("orders-0"))).isNotEmpty();
        assertThat(root.resolve("topics/orders-0")).isSymbolicLink();

        broker.crash();
        assertThat(endSequence(broker, "orders")).as("replayed").isEqualTo(6);
        broker.restart();
        assertThat(endSequence(broker, "orders")).as("from a checkpoint").isEqualTo(6);
        assertThat(names(elsewhere)).containsExactly("orders-0", "orders-1");
        broker.broker.close();
    }

    @Test
    void shouldLeavePartitionsWhereTheyAreAndPutNewOnesWhereDataPathSaysNow() throws IOException {
        TestBroker broker =
                start(
                        new TopicCatalog(
                                TopicSettings.defaults(1), Map.of("orders", settings(1, ""))));
        send(broker.connect(), 3);

        broker.broker.reconfigure(catalog(2));
        send(broker.connect(), 6);

        assertThat(root.resolve("topics/orders-0")).isDirectory();
        assertThat(Files.isSymbolicLink(root.resolve("topics/orders-0"))).isFalse();
        assertThat(names(elsewhere)).containsExactly("orders-1");
        broker.restart();
        assertThat(endSequence(broker, "orders")).isEqualTo(9);
        broker.broker.close();
    }

    @Test
    void shouldNotTouchADirectoryOfThatNameThatIsNotItsOwn() throws IOException {
        Path other = Files.createDirectories(elsewhere.resolve("orders-0"));
        Files.writeString(other.resolve("00000000000000000000.meta"), "of another broker");

        TestBroker broker = start(catalog(1));
        send(broker.connect(), 3);
        broker.restart();

        assertThat(endSequence(broker, "orders")).isEqualTo(3);
        assertThat(names(elsewhere)).containsExactly("orders-0", "orders-0.2");
        assertThat(names(other)).containsExactly("00000000000000000000.meta");
        broker.broker.close();
    }

    @Test
    void shouldServeWhatIsStoredRightAfterARestartThoughForeignEntriesLieInItsDirectories()
            throws IOException {
        TestBroker broker = start(catalog(2));
        send(broker.connect(), 6);
        broker.broker.close();
        // MetaQ left partitions closed when the number of entries was not that of partitions.
        Files.createDirectories(root.resolve("transactions"));
        Files.createDirectories(root.resolve("lost+found"));
        Files.createDirectories(root.resolve("zz-0"));
        Files.writeString(root.resolve("aaa"), "a file");
        Files.writeString(root.resolve("topics").resolve("notes.txt"), "a file");
        Files.writeString(root.resolve("journal").resolve("zz.txt"), "a file");
        Files.createDirectories(root.resolve("checkpoints").resolve("x"));

        TestBroker again = start(catalog(2));

        Client client = again.connect();
        long bytes = 0;
        for (int partition = 0; partition < 2; partition++) {
            int number = partition;
            int opaque = client.submit(o -> new Command.Get("orders", "g", number, 0, 1 << 20, o));
            var answer = client.link.results.get(opaque);
            assertThat(answer).isNotNull();
            assertThat(answer.status()).isEqualTo(200);
            bytes += answer.text().length();
        }
        assertThat(bytes).isGreaterThan(2 * 600);
        assertThat(endSequence(again, "orders")).isEqualTo(6);
        again.broker.close();
    }
}
