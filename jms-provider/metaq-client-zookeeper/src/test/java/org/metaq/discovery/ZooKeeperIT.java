package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.Address;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.cluster.Partition;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.client.consume.ConsumerOptions;
import org.metaq.client.consume.GroupConsumer;
import org.metaq.client.offset.GroupOffset;
import org.metaq.client.publish.Message;
import org.metaq.client.publish.Publisher;
import org.metaq.client.publish.SendResult;

/** Native clients, brokers and a ZooKeeper, all over real sockets. */
class ZooKeeperIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SESSION_MS = 4_000;
    private static final String TOPIC = "orders";
    private static final ConsumerOptions FAST =
            ConsumerOptions.DEFAULTS.withPulls(2, 64 * 1024, 20).withCommitPeriodMs(50);

    @TempDir private Path directory;
    private TestingServer server;
    private CuratorFramework curator;
    private ZooKeeperRegistry registry;
    private Cluster cluster;
    private Publisher publisher;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final List<String> received = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
        curator =
                CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        curator.start();
        registry = connect();
        cluster = Cluster.of(registry.discovery());
        publisher = new Publisher(cluster);
    }

    @AfterEach
    void stop() throws Exception {
        publisher.close();
        for (int i = resources.size() - 1; i >= 0; i--) {
            resources.get(i).close();
        }
        cluster.close();
        registry.close();
        curator.close();
        server.close();
    }

    private ZooKeeperRegistry connect() throws IOException {
        return ZooKeeperRegistry.connect(server.getConnectString(), "/meta", SESSION_MS);
    }

    private <T extends AutoCloseable> T later(T resource) {
        resources.add(resource);
        return resource;
    }

    private RegisteredBroker broker(int id, int partitions) throws Exception {
        RegisteredBroker broker =
                later(new RegisteredBroker(curator, directory, id, partitions, TOPIC));
        await().atMost(PATIENCE)
                .until(
                        () ->
                                registry.discovery().publishPartitions(TOPIC).stream()
                                        .anyMatch(p -> p.brokerId() == id));
        return broker;
    }

    private GroupConsumer consumer(String group) {
        return later(consumer(registry, cluster, group));
    }

    private GroupConsumer consumer(ZooKeeperRegistry through, Cluster brokers, String group) {
        return GroupConsumer.of(brokers, group)
                .coordinator(through.coordinator())
                .offsets(through.offsets())
                .options(FAST)
                .subscribe(TOPIC, message -> received.add(new String(message.payload(), UTF_8)))
                .start();
    }

    private void send(int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            publisher.send(Message.of(TOPIC, ("m" + i).getBytes(UTF_8)), 20_000);
        }
    }

    private void awaitReceived(int from, int to) {
        String[] expected = IntStream.range(from, to).mapToObj(i -> "m" + i).toArray(String[]::new);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(received).contains(expected));
    }

    private static void awaitPartitions(GroupConsumer consumer, String... expected) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(consumer.partitions())
                                        .extracting(each -> each.partition().toString())
                                        .containsExactlyInAnyOrder(expected));
    }

    private String text(String path) throws Exception {
        return new String(curator.getData().forPath(path), UTF_8);
    }

    @Test
    void shouldFindBrokersAndFollowThem() throws Exception {
        assertThat(registry.discovery().publishPartitions(TOPIC)).isEmpty();
        assertThatThrownBy(() -> publisher.publish(TOPIC)).hasMessageContaining("no broker takes");
        RegisteredBroker first = broker(0, 1);
        broker(7, 2);
        assertThat(publisher.publish(TOPIC))
                .containsExactly(new Partition(0, 0), new Partition(7, 0), new Partition(7, 1));
        List<Partition> used = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            used.add(publisher.send(Message.of(TOPIC, new byte[1])).partition());
        }
        assertThat(used).containsExactlyInAnyOrderElementsOf(publisher.publish(TOPIC));
        first.unregister();
        await().atMost(PATIENCE).until(() -> publisher.publish(TOPIC).size() == 2);
        assertThat(registry.discovery().brokerAddress(0)).isNull();
    }

    @Test
    void shouldShareAPartitionedTopicAndFollowMembersAndBrokers() throws Exception {
        RegisteredBroker zero = broker(0, 3);
        GroupConsumer first = consumer("g");
        awaitPartitions(first, "0-0", "0-1", "0-2");
        send(0, 30);
        awaitReceived(0, 30);
        assertThat(received).hasSize(30);

        GroupConsumer second = consumer("g");
        await().atMost(PATIENCE)
                .until(() -> first.partitions().size() + second.partitions().size() == 3);
        await().atMost(PATIENCE).until(() -> !second.partitions().isEmpty());
        broker(1, 3);
        await().atMost(PATIENCE)
                .until(() -> first.partitions().size() == 3 && second.partitions().size() == 3);
        assertThat(first.partitions()).doesNotContainAnyElementsOf(second.partitions());
        send(30, 60);
        awaitReceived(0, 60);
        assertThat(received).hasSize(60);

        zero.unregister();
        await().atMost(PATIENCE)
                .until(() -> first.partitions().size() + second.partitions().size() == 3);
        zero.register();
        await().atMost(PATIENCE)
                .until(() -> first.partitions().size() == 3 && second.partitions().size() == 3);
        send(60, 90);
        awaitReceived(0, 90);
        assertThat(received).hasSize(90);

        second.close();
        awaitPartitions(first, "0-0", "0-1", "0-2", "1-0", "1-1", "1-2");
        send(90, 120);
        awaitReceived(0, 120);
        assertThat(received).hasSize(120);
    }

    @Test
    void shouldTakeOverWhatAKilledMemberHad() throws Exception {
        broker(0, 4);
        GroupConsumer survivor = consumer("g");
        awaitPartitions(survivor, "0-0", "0-1", "0-2", "0-3");
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                ConsumerMain.class.getName(),
                                server.getConnectString(),
                                Integer.toString(SESSION_MS),
                                "g",
                                TOPIC)
                        .redirectError(directory.resolve("consumer.err").toFile())
                        .start();
        later(() -> other.destroyForcibly().waitFor());
        await().atMost(PATIENCE).until(() -> survivor.partitions().size() == 2);
        send(0, 20);
        BufferedReader out =
                new BufferedReader(new InputStreamReader(other.getInputStream(), UTF_8));
        List<String> byTheOther = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.matches("m\\d+")) {
                byTheOther.add(line);
            }
            if (byTheOther.size() == 10) {
                break;
            }
        }
        await().atMost(PATIENCE).until(() -> received.size() == 10);
        assertThat(received).doesNotContainAnyElementsOf(byTheOther);

        other.destroyForcibly().waitFor();
        send(20, 40);
        awaitPartitions(survivor, "0-0", "0-1", "0-2", "0-3");
        awaitReceived(20, 40);
    }

    @Test
    void shouldJoinAnewWhenItsSessionExpires() throws Exception {
        broker(0, 2);
        ZooKeeperRegistry own = later(connect());
        Cluster brokers = later(Cluster.of(own.discovery()));
        GroupConsumer consumer = later(consumer(own, brokers, "g"));
        awaitPartitions(consumer, "0-0", "0-1");
        String memberBefore = curator.getChildren().forPath("/meta/consumers/g/ids").get(0);
        long sessionBefore = ownerSession(memberBefore);
        own.expireSession();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> ownerSession(memberBefore) != sessionBefore);
        awaitPartitions(consumer, "0-0", "0-1");
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> text("/meta/consumers/g/owners/orders/0-1").equals(memberBefore));
        send(0, 10);
        awaitReceived(0, 10);
    }

    private long ownerSession(String member) throws Exception {
        return curator.checkExists().forPath("/meta/consumers/g/ids/" + member).getEphemeralOwner();
    }

    @Test
    void shouldStopReadingWhileZooKeeperIsGoneForTooLong() throws Exception {
        broker(0, 2);
        GroupConsumer consumer = consumer("g");
        awaitPartitions(consumer, "0-0", "0-1");
        server.stop();
        awaitPartitions(consumer);
        send(0, 4);
        server.restart();
        awaitPartitions(consumer, "0-0", "0-1");
        awaitReceived(0, 4);
    }

    @Test
    void shouldReadFromASlaveOnlyWithoutAMasterAndNeverWriteToIt() throws Exception {
        node("/meta/brokers/ids/4/slave1", "meta://[::1]:8124");
        node("/meta/brokers/topics-pub/orders/4-s1", "{\"numParts\":1}");
        node("/meta/brokers/topics-sub/orders/4-s1", "{\"numParts\":1,\"broker\":\"4-s1\"}");
        node("/meta/brokers/topics-sub/orders/nonsense", "{\"numParts\":1}");
        node("/meta/brokers/topics-sub/orders/5-m", "nonsense");
        node("/meta/brokers/ids/6/master", "nonsense");
        node("/meta/brokers/topics/orders/4-m", "1");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(registry.discovery().subscribePartitions(TOPIC))
                                        .containsExactly(new Partition(4, 0)));
        assertThat(registry.discovery().publishPartitions(TOPIC)).isEmpty();
        assertThat(registry.discovery().brokerAddress(4)).isEqualTo(new Address("::1", 8124));
        assertThat(registry.discovery().brokerAddress(6)).isNull();
        node("/meta/brokers/ids/4/master", "meta://127.0.0.1:8123");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(registry.discovery().brokerAddress(4))
                                        .isEqualTo(new Address("127.0.0.1", 8123)));
    }

    private void node(String path, String text) throws Exception {
        curator.create().creatingParentsIfNeeded().forPath(path, text.getBytes(UTF_8));
    }

    @Test
    void shouldWaitForAPartitionThatAnotherMemberStillHolds() throws Exception {
        broker(0, 2);
        String owner = "/meta/consumers/g/owners/orders/0-1";
        curator.create().creatingParentsIfNeeded().forPath(owner, "g_someone".getBytes(UTF_8));
        GroupConsumer consumer = consumer("g");
        awaitPartitions(consumer, "0-0");
        curator.delete().forPath(owner);
        awaitPartitions(consumer, "0-0", "0-1");
        assertThat(text(owner)).startsWith("g_");
    }

    @Test
    void shouldKeepOffsetsAsClassicConsumersDo() throws Exception {
        broker(0, 1);
        GroupConsumer consumer = consumer("g");
        SendResult sent = publisher.send(Message.of(TOPIC, "x".getBytes(UTF_8)));
        String path = "/meta/consumers/g/offsets/orders/0-0";
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> text(path).equals(sent.messageId() + "-21"));
        assertThat(curator.checkExists().forPath(path).getEphemeralOwner()).isZero();
        String member = curator.getChildren().forPath("/meta/consumers/g/ids").get(0);
        assertThat(text("/meta/consumers/g/ids/" + member)).isEqualTo(TOPIC);
        consumer.close();
        assertThat(curator.getChildren().forPath("/meta/consumers/g/ids")).isEmpty();
        assertThat(curator.getChildren().forPath("/meta/consumers/g/owners/orders")).isEmpty();

        TopicPartition partition = new TopicPartition(TOPIC, new Partition(0, 0));
        curator.setData().forPath(path, "-5468931864850829312-14470".getBytes(UTF_8));
        assertThat(registry.offsets().load("g", partition))
                .isEqualTo(new GroupOffset(-5468931864850829312L, 14470));
        curator.setData().forPath(path, "nonsense".getBytes(UTF_8));
        assertThatThrownBy(() -> registry.offsets().load("g", partition))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nonsense");
        assertThat(registry.offsets().load("unknown", partition)).isNull();
    }
}
