package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.taobao.metamorphosis.client.MetaClientConfig;
import com.taobao.metamorphosis.client.MetaMessageSessionFactory;
import com.taobao.metamorphosis.client.consumer.ConsumerConfig;
import com.taobao.metamorphosis.client.consumer.MessageConsumer;
import com.taobao.metamorphosis.client.consumer.MessageListener;
import com.taobao.metamorphosis.utils.ZkUtils.ZKConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.consume.ConsumerOptions;
import org.metaq.client.consume.GroupConsumer;
import org.metaq.client.publish.Message;
import org.metaq.client.publish.Publisher;

/** The unmodified consumer of MetaQ 1.4.6.2 and a native one in one group. */
class MixedGroupIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String TOPIC = "mixed";
    private static final String OWNERS = "/meta/consumers/mixed-group/owners/mixed";

    @TempDir private Path directory;
    private final List<String> byNative = new CopyOnWriteArrayList<>();
    private final List<String> byClassic = new CopyOnWriteArrayList<>();

    @Test
    void shouldShareThePartitionsWithAClassicConsumer() throws Exception {
        // The classic client makes only the last part of its directories.
        Files.createDirectories(Path.of(System.getProperty("user.home")));
        try (TestingServer server = new TestingServer();
                CuratorFramework curator =
                        CuratorFrameworkFactory.newClient(
                                server.getConnectString(), new RetryOneTime(100))) {
            curator.start();
            try (RegisteredBroker zero = new RegisteredBroker(curator, directory, 0, 4, TOPIC);
                    ZooKeeperRegistry registry =
                            ZooKeeperRegistry.connect(server.getConnectString());
                    Cluster cluster = Cluster.of(registry.discovery());
                    Publisher publisher = new Publisher(cluster)) {
                zero.register();
                share(server, curator, registry, cluster, publisher);
            }
        }
    }

    private void share(
            TestingServer server,
            CuratorFramework curator,
            ZooKeeperRegistry registry,
            Cluster cluster,
            Publisher publisher)
            throws Exception {
        MetaMessageSessionFactory factory = classicFactory(server);
        MessageConsumer classic = classicConsumer(factory);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> owners(curator).size() == 1);
        send(publisher, 0, 20);
        await().atMost(PATIENCE).until(() -> byClassic.size() == 20);

        try (GroupConsumer mate =
                GroupConsumer.of(cluster, "mixed-group")
                        .coordinator(registry.coordinator())
                        .offsets(registry.offsets())
                        .options(ConsumerOptions.DEFAULTS.withPulls(2, 65536, 20))
                        .subscribe(
                                TOPIC,
                                message -> byNative.add(new String(message.payload(), UTF_8)))
                        .start()) {
            await().atMost(PATIENCE).until(() -> mate.partitions().size() == 2);
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> owners(curator).size() == 2 && ownerCount(curator) == 4);
            send(publisher, 20, 60);
            await().atMost(PATIENCE).until(() -> byNative.size() + byClassic.size() == 60);
            assertThat(byNative).hasSize(20).doesNotContainAnyElementsOf(byClassic);

            classic.shutdown();
            factory.shutdown();
            await().atMost(PATIENCE).until(() -> mate.partitions().size() == 4);
            send(publisher, 60, 100);
            await().atMost(PATIENCE).until(() -> byNative.size() == 60);
        }
        MetaMessageSessionFactory again = classicFactory(server);
        classicConsumer(again);
        send(publisher, 100, 120);
        await().atMost(PATIENCE).until(() -> byClassic.size() == 60);
        Set<String> all = new HashSet<>(byClassic);
        all.addAll(byNative);
        assertThat(all).hasSize(120);
        again.shutdown();
    }

    private static Set<String> owners(CuratorFramework curator) throws Exception {
        Set<String> owners = new HashSet<>();
        for (String partition : curator.getChildren().forPath(OWNERS)) {
            owners.add(new String(curator.getData().forPath(OWNERS + '/' + partition), UTF_8));
        }
        return owners;
    }

    private static int ownerCount(CuratorFramework curator) throws Exception {
        return curator.getChildren().forPath(OWNERS).size();
    }

    private static void send(Publisher publisher, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            publisher.send(Message.of(TOPIC, ("m" + i).getBytes(UTF_8)));
        }
    }

    private static MetaMessageSessionFactory classicFactory(TestingServer server) throws Exception {
        ZKConfig zk = new ZKConfig();
        zk.zkConnect = server.getConnectString();
        MetaClientConfig config = new MetaClientConfig();
        config.setZkConfig(zk);
        return new MetaMessageSessionFactory(config);
    }

    private MessageConsumer classicConsumer(MetaMessageSessionFactory factory) throws Exception {
        ConsumerConfig config = new ConsumerConfig("mixed-group");
        config.setMaxDelayFetchTimeInMills(200);
        MessageConsumer consumer = factory.createConsumer(config);
        consumer.subscribe(
                TOPIC,
                64 * 1024,
                new MessageListener() {
                    @Override
                    public void recieveMessages(com.taobao.metamorphosis.Message message) {
                        byClassic.add(new String(message.getData(), UTF_8));
                    }

                    @Override
                    public Executor getExecutor() {
                        return null;
                    }
                });
        consumer.completeSubscribe();
        return consumer;
    }
}
