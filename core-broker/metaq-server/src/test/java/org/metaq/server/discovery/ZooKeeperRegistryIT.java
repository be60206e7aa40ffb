package org.metaq.server.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.TopicRegistration;

/** Fact sheet section 5, on a real ZooKeeper. */
class ZooKeeperRegistryIT {
    private static final int SESSION_TIMEOUT_MS = 4000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final TopicRegistration TEST = topic("test", 2);

    private TestingServer zookeeper;
    private CuratorFramework client;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void startZooKeeper() throws Exception {
        zookeeper = new TestingServer();
        client = client(zookeeper.getConnectString());
    }

    @AfterEach
    void stopAll() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
        client.close();
        zookeeper.close();
    }

    private static CuratorFramework client(String connect) {
        CuratorFramework made = CuratorFrameworkFactory.newClient(connect, new RetryOneTime(500));
        made.start();
        return made;
    }

    private static TopicRegistration topic(String name, int partitionCount) {
        return new TopicRegistration(name, partitionCount, true, true);
    }

    private static RegistrySettings settings(String connect, int brokerId, int port) {
        return new RegistrySettings(
                connect,
                "/meta",
                SESSION_TIMEOUT_MS,
                5000,
                200,
                brokerId,
                RegistrySettings.url("127.0.0.1", port));
    }

    private ZooKeeperRegistry open(int brokerId, int port, TopicRegistration... topics) {
        ZooKeeperRegistry registry =
                ZooKeeperRegistry.start(
                        settings(zookeeper.getConnectString(), brokerId, port), 3120256672L);
        registry.topics(List.of(topics));
        opened.add(registry);
        return registry;
    }

    private ZooKeeperRegistry register(int brokerId, int port, TopicRegistration... topics)
            throws Exception {
        ZooKeeperRegistry registry = open(brokerId, port, topics);
        registry.registered().get(30, TimeUnit.SECONDS);
        return registry;
    }

    private String text(String path) throws Exception {
        return new String(client.getData().forPath(path), UTF_8);
    }

    private Stat stat(String path) throws Exception {
        return client.checkExists().forPath(path);
    }

    @Test
    void shouldLayItsNodesOutAsMetaQDoes() throws Exception {
        register(7, 8123, TEST);
        assertThat(text("/meta/brokers/ids/7")).isEqualTo("meta://127.0.0.1:8123");
        assertThat(stat("/meta/brokers/ids/7").getEphemeralOwner()).isZero();
        assertThat(text("/meta/brokers/ids/7/master")).isEqualTo("meta://127.0.0.1:8123");
        assertThat(stat("/meta/brokers/ids/7/master").getEphemeralOwner()).isNotZero();
        assertThat(text("/meta/brokers/ids/7/master_config_checksum")).isEqualTo("3120256672");
        assertThat(text("/meta/brokers/topics/test/7-m")).isEqualTo("2");
        assertThat(text("/meta/brokers/topics-pub/test/7-m"))
                .isEqualTo("{\"broker\":\"7-m\",\"numParts\":2}");
        assertThat(text("/meta/brokers/topics-sub/test/7-m"))
                .isEqualTo("{\"broker\":\"7-m\",\"numParts\":2}");
        assertThat(stat("/meta/brokers/topics-sub/test/7-m").getEphemeralOwner()).isNotZero();
        assertThat(stat("/meta/brokers/topics-sub/test").getEphemeralOwner()).isZero();
    }

    @Test
    void shouldRegisterATopicOnlyForWhatItAccepts() throws Exception {
        register(
                0,
                8123,
                new TopicRegistration("in", 1, true, false),
                new TopicRegistration("out", 1, false, true));
        assertThat(stat("/meta/brokers/topics-pub/in/0-m")).isNotNull();
        assertThat(stat("/meta/brokers/topics-sub/in/0-m")).isNull();
        assertThat(stat("/meta/brokers/topics-pub/out/0-m")).isNull();
        assertThat(stat("/meta/brokers/topics-sub/out/0-m")).isNotNull();
    }

    @Test
    void shouldMakeANewNodeWhenTheNumberOfPartitionsOrARoleChanges() throws Exception {
        ZooKeeperRegistry registry = register(0, 8123, TEST, topic("kept", 1));
        long before = stat("/meta/brokers/topics-sub/test/0-m").getCzxid();
        long keptBefore = stat("/meta/brokers/topics-sub/kept/0-m").getCzxid();
        registry.topics(List.of(topic("test", 3), topic("kept", 1)));
        await().atMost(TIMEOUT).until(() -> text("/meta/brokers/topics/test/0-m").equals("3"));
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            Stat now = stat("/meta/brokers/topics-sub/test/0-m");
                            assertThat(now).isNotNull();
                            assertThat(now.getCzxid()).isGreaterThan(before);
                        });
        assertThat(stat("/meta/brokers/topics-sub/kept/0-m").getCzxid()).isEqualTo(keptBefore);

        registry.topics(List.of(new TopicRegistration("test", 3, false, true)));
        await().atMost(TIMEOUT).until(() -> stat("/meta/brokers/topics-pub/test/0-m") == null);
        await().atMost(TIMEOUT).until(() -> stat("/meta/brokers/topics-sub/kept/0-m") == null);
        await().atMost(TIMEOUT).until(() -> stat("/meta/brokers/topics-sub/test/0-m") != null);
    }

    @Test
    void shouldChangeTheConfigChecksumInPlace() throws Exception {
        ZooKeeperRegistry registry = register(0, 8123, TEST);
        long before = stat("/meta/brokers/ids/0/master_config_checksum").getCzxid();
        registry.configChecksum(17);
        await().atMost(TIMEOUT)
                .until(() -> text("/meta/brokers/ids/0/master_config_checksum").equals("17"));
        assertThat(stat("/meta/brokers/ids/0/master_config_checksum").getCzxid()).isEqualTo(before);
    }

    @Test
    void shouldRemoveEverythingWhenItStops() throws Exception {
        ZooKeeperRegistry registry = register(0, 8123, TEST);
        registry.close();
        assertThat(stat("/meta/brokers/ids/0/master")).isNull();
        assertThat(stat("/meta/brokers/ids/0/master_config_checksum")).isNull();
        assertThat(text("/meta/brokers/ids/0")).isEmpty();
        for (String kind : List.of("topics", "topics-pub", "topics-sub")) {
            assertThat(client.getChildren().forPath("/meta/brokers/" + kind + "/test")).isEmpty();
        }
    }

    @Test
    void shouldReplaceTheNodesOfItsEarlierLifeAtOnce() throws Exception {
        CuratorFramework killed = client(zookeeper.getConnectString());
        opened.add(killed);
        for (String path :
                List.of(
                        "/meta/brokers/ids/0/master",
                        "/meta/brokers/ids/0/master_config_checksum",
                        "/meta/brokers/topics-pub/test/0-m")) {
            killed.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(path, "meta://127.0.0.1:8123".getBytes(UTF_8));
        }
        register(0, 8123, TEST);
        killed.close();
        assertThat(text("/meta/brokers/ids/0/master")).isEqualTo("meta://127.0.0.1:8123");
        assertThat(stat("/meta/brokers/ids/0/master_config_checksum")).isNotNull();
        assertThat(text("/meta/brokers/topics-pub/test/0-m")).contains("numParts");
    }

    @Test
    void shouldRefuseTheIdOfAnotherLiveBrokerOnceItsSessionHadTimeToEnd() throws Exception {
        register(3, 8123, TEST);
        long beganNs = System.nanoTime();
        ZooKeeperRegistry second = open(3, 8124, TEST);
        assertThatThrownBy(() -> second.registered().get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(BrokerIdInUseException.class)
                .hasMessageContaining("broker id 3 is in use by meta://127.0.0.1:8123")
                .hasMessageContaining("give this broker another brokerId");
        assertThat(Duration.ofNanos(System.nanoTime() - beganNs))
                .isGreaterThan(Duration.ofMillis(SESSION_TIMEOUT_MS));
        second.close();
        assertThat(text("/meta/brokers/ids/3/master")).isEqualTo("meta://127.0.0.1:8123");
        assertThat(text("/meta/brokers/ids/3")).isEqualTo("meta://127.0.0.1:8123");
    }

    @Test
    void shouldTakeTheIdOverWhenTheOtherBrokerGoesMeanwhile() throws Exception {
        ZooKeeperRegistry first = register(3, 8123, TEST);
        ZooKeeperRegistry second = open(3, 8124, TEST);
        first.close();
        second.registered().get(30, TimeUnit.SECONDS);
        assertThat(text("/meta/brokers/ids/3/master")).isEqualTo("meta://127.0.0.1:8124");
    }

    @Test
    void shouldRegisterEverythingAnewWhenItsSessionIsLost() throws Exception {
        register(0, 8123, TEST);
        int port = zookeeper.getPort();
        zookeeper.close();
        client.close();
        // another ZooKeeper knows nothing of the session
        zookeeper = new TestingServer(port, true);
        client = client(zookeeper.getConnectString());
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            for (String path :
                                    List.of(
                                            "/meta/brokers/ids/0/master",
                                            "/meta/brokers/ids/0/master_config_checksum",
                                            "/meta/brokers/topics/test/0-m",
                                            "/meta/brokers/topics-pub/test/0-m",
                                            "/meta/brokers/topics-sub/test/0-m")) {
                                assertThat(stat(path)).as(path).isNotNull();
                            }
                        });
    }

    @Test
    void shouldRegisterWhenZooKeeperComesAfterIt() throws Exception {
        int port = InstanceSpec.getRandomPort();
        ZooKeeperRegistry early =
                ZooKeeperRegistry.start(settings("127.0.0.1:" + port, 0, 8123), 1);
        early.topics(List.of(TEST));
        opened.add(early);
        assertThat(early.registered()).isNotDone();
        try (TestingServer late = new TestingServer(port, true)) {
            early.registered().get(30, TimeUnit.SECONDS);
            try (CuratorFramework reader = client(late.getConnectString())) {
                assertThat(reader.checkExists().forPath("/meta/brokers/topics-sub/test/0-m"))
                        .isNotNull();
            }
        }
    }

    @Test
    void shouldRegisterTheOtherTopicsWhenOneCannotBeAPath() throws Exception {
        register(0, 8123, topic("..", 1), TEST, topic("queue@new%20orders", 1));
        assertThat(stat("/meta/brokers/topics-sub/test/0-m")).isNotNull();
        assertThat(stat("/meta/brokers/topics-sub/queue@new%20orders/0-m")).isNotNull();
    }

    @Test
    void shouldServeFromAnEmbeddedZooKeeperThatKeepsWhatItStores(@TempDir Path directory)
            throws Exception {
        for (int life = 0; life < 2; life++) {
            try (EmbeddedZooKeeper embedded = EmbeddedZooKeeper.start(directory, 0)) {
                ZooKeeperRegistry registry =
                        ZooKeeperRegistry.start(settings(embedded.connect(), 0, 8123), 1);
                registry.topics(List.of(TEST));
                try (CuratorFramework reader = client(embedded.connect())) {
                    registry.registered().get(30, TimeUnit.SECONDS);
                    assertThat(reader.checkExists().forPath("/meta/brokers/ids/0/master"))
                            .isNotNull();
                    if (life == 0) {
                        reader.create().forPath("/kept");
                    }
                    assertThat(reader.checkExists().forPath("/kept")).isNotNull();
                } finally {
                    registry.close();
                }
            }
        }
    }
}
