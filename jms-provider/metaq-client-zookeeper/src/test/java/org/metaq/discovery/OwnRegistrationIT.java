package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.TestBroker;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.consume.ConsumerOptions;
import org.metaq.client.consume.GroupConsumer;
import org.metaq.client.publish.Message;
import org.metaq.client.publish.Publisher;

/** Native clients and a broker that registers itself. */
class OwnRegistrationIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir private Path directory;

    @Test
    void shouldFollowABrokerThatIsKilledAndComesBack() throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        try (TestingServer server = new TestingServer();
                TestBroker broker =
                        TestBroker.start(
                                directory,
                                5,
                                2,
                                List.of(
                                        "[zookeeper]",
                                        "zk.zkConnect=" + server.getConnectString(),
                                        "zk.zkSessionTimeoutMs=4000"),
                                "orders");
                ZooKeeperRegistry registry = ZooKeeperRegistry.connect(server.getConnectString());
                Cluster cluster = Cluster.of(registry.discovery());
                Publisher publisher = new Publisher(cluster);
                GroupConsumer consumer =
                        GroupConsumer.of(cluster, "g")
                                .coordinator(registry.coordinator())
                                .offsets(registry.offsets())
                                .options(ConsumerOptions.DEFAULTS.withPulls(1, 65536, 20))
                                .subscribe(
                                        "orders",
                                        message ->
                                                received.add(new String(message.payload(), UTF_8)))
                                .start()) {
            await().atMost(PATIENCE).until(() -> consumer.partitions().size() == 2);
            publisher.send(Message.of("orders", "before".getBytes(UTF_8)));
            await().atMost(PATIENCE).until(() -> received.contains("before"));

            broker.kill();
            await().atMost(PATIENCE).until(() -> consumer.partitions().isEmpty());
            assertThat(registry.discovery().publishPartitions("orders")).isEmpty();

            broker.restart();
            await().atMost(PATIENCE).until(() -> consumer.partitions().size() == 2);
            publisher.send(Message.of("orders", "after".getBytes(UTF_8)), 20_000);
            await().atMost(PATIENCE).until(() -> received.contains("after"));
            assertThat(received).containsExactly("before", "after");
        }
    }
}
