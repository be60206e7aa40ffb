package org.metaq.server.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.BranchId;
import org.metaq.server.BrokerServer;
import org.metaq.server.RawClient;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/** A whole broker and what its operators do: the reload command and JMX. */
@Timeout(120)
class OperationsIT {
    private static final String[] START = {
        "[system]", "brokerId=3", "[topic=orders]", "numPartitions=2", "[topic=gone]"
    };

    @TempDir Path directory;

    private Path file;
    private BrokerServer server;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        file = directory.resolve("conf").resolve("server.ini");
        Files.createDirectories(file.getParent());
        write(START);
        server = startServer("data");
        client = new RawClient(server.port());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    private BrokerServer startServer(String data) {
        return BrokerServer.start(
                ServerConfig.builder()
                        .file(ConfigFile.read(file))
                        .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "1M")
                        .dataPath(directory.resolve(data))
                        .port(0)
                        .bindAddress("127.0.0.1")
                        .build());
    }

    private void restart() throws IOException {
        client.close();
        server.close();
        server = startServer("data");
        client = new RawClient(server.port());
    }

    private void write(String... lines) throws IOException {
        Files.writeString(file, String.join("\n", lines));
    }

    private RawClient.Answer reload() throws IOException {
        return client.ask("reload 0 77\r\n");
    }

    private List<String> reloaded() throws IOException {
        RawClient.Answer answer = reload();
        assertThat(answer.line()).startsWith("result 200 ");
        return answer.text().lines().toList();
    }

    private int put(String topic, int partition) throws IOException {
        return status("put " + topic + " " + partition + " 5 0 -1 1\r\nhello");
    }

    private int get(String topic, int partition) throws IOException {
        RawClient.Answer answer = client.ask("get " + topic + " g " + partition + " 0 1000 2\r\n");
        return answer.line().startsWith("value") ? 200 : status(answer);
    }

    private int status(String command) throws IOException {
        return status(client.ask(command));
    }

    private static int status(RawClient.Answer answer) {
        return Integer.parseInt(answer.line().split(" ")[1]);
    }

    // ---- reload

    @Test
    void shouldSayThatAnUnchangedFileIsUnchanged() throws IOException {
        assertThat(reloaded()).containsExactly("unchanged: " + file);
    }

    @Test
    void shouldAddATopicAndPartitionsAndChangeWhatItAccepts() throws IOException {
        assertThat(put("orders", 2)).isEqualTo(500);
        write(
                "[system]",
                "brokerId=3",
                "[topic=orders]",
                "numPartitions=4",
                "acceptPublish=true",
                "[topic=gone]",
                "acceptPublish=false",
                "[topic=fresh]",
                "numPartitions=3");
        assertThat(reloaded())
                .containsExactly(
                        "topic orders: changed acceptPublish, numPartitions",
                        "topic gone: changed acceptPublish",
                        "topic fresh: added");
        assertThat(List.of(put("orders", 3), put("fresh", 2), put("gone", 0)))
                .containsExactly(200, 200, 403);
        assertThat(get("gone", 0)).isEqualTo(404);
        write(START);
        assertThat(reloaded())
                .containsExactly(
                        "topic orders: changed acceptPublish, numPartitions",
                        "topic gone: changed acceptPublish",
                        "topic fresh: removed; its data stays, and [system] or another section"
                                + " holds",
                        "orders keeps its 4 partitions: numPartitions = 2 takes none away");
        assertThat(List.of(put("gone", 0), put("orders", 3), get("fresh", 2)))
                .containsExactly(200, 200, 200);
    }

    @Test
    void shouldNameWhatNeedsARestartUntilItIsThere() throws IOException {
        write(
                "[system]",
                "brokerId=3",
                "maxTransferSize=2M",
                "numPartitions=7",
                "[zookeeper]",
                "zk.zkConnect=localhost:1",
                "[topic=orders]",
                "numPartitions=2",
                "[topic=gone]",
                "[topic=fresh]");
        String restart =
                "needs a restart: [system] numPartitions, [system] maxTransferSize, [zookeeper],"
                        + " [zookeeper] zk.zkConnect";
        assertThat(reloaded()).containsExactly("topic fresh: added", restart);
        assertThat(reloaded()).containsExactly("unchanged: " + file, restart);
        assertThat(put("fresh", 1)).as("numPartitions of the start").isEqualTo(500);
        assertThat(put("fresh", 0)).isEqualTo(200);
        write(START);
        assertThat(reloaded().get(0)).startsWith("topic fresh: removed");
    }

    @Test
    void shouldChangeNothingWhenTheFileIsNotValid() throws IOException {
        write("[system]", "brokerId=3", "[topic=orders]", "acceptPublish=false", "numPartition=9");
        RawClient.Answer answer = reload();
        assertThat(answer.line()).startsWith("result 400 ");
        assertThat(answer.text())
                .startsWith("BAD_REQUEST " + file + ": [topic=orders]: unknown key 'numPartition'")
                .endsWith("did you mean 'numPartitions'?");
        write("[zookeeper]");
        assertThat(reload().text()).contains("[zookeeper] needs zk.zkConnect");
        Files.delete(file);
        assertThat(reload().text()).startsWith("BAD_REQUEST cannot read " + file);
        assertThat(List.of(put("orders", 1), put("orders", 2))).containsExactly(200, 500);
        write(START);
        assertThat(reloaded()).containsExactly("unchanged: " + file);
    }

    @Test
    void shouldNotServeATopicWhoseSectionIsGoneWhenNoneIsCreatedOnUse() throws IOException {
        String[] system = {
            "[system]",
            "brokerId=3",
            "autoCreateDestinations=false",
            "[topic=orders]",
            "numPartitions=2"
        };
        write(String.join("\n", system), "[topic=gone]");
        restart();
        assertThat(List.of(put("orders", 0), put("gone", 0))).containsExactly(200, 200);
        write(system);
        assertThat(reloaded())
                .containsExactly(
                        "topic gone: removed; its data stays, and no client may use it unless"
                                + " another section matches: autoCreateDestinations = false");
        assertThat(List.of(put("orders", 0), put("gone", 0), get("gone", 0)))
                .containsExactly(200, 403, 403);
    }

    @Test
    void shouldTellListenersWhichFileHolds() throws IOException {
        List<Long> checksums = new CopyOnWriteArrayList<>();
        server.onReload(changed -> checksums.add(changed.checksum()));
        write(
                "[system]",
                "brokerId=3",
                "; nothing new",
                "[topic=orders]",
                "numPartitions=2",
                "[topic=gone]");
        assertThat(reloaded()).containsExactly("no topic section changed");
        assertThat(checksums).containsExactly(ConfigFile.read(file).checksum());
        reloaded();
        assertThat(checksums).hasSize(1);
        assertThat(client.ask("stats config 5\r\n").text()).isEqualTo(Files.readString(file));
        assertThat(client.ask("stats  6\r\n").text())
                .contains("config_checksum " + checksums.get(0) + "\r\n");
    }

    @Test
    void shouldRefuseToReloadWithoutAFile() throws IOException {
        ServerConfig config =
                ServerConfig.builder()
                        .set(ConfigKey.JOURNAL_SEGMENT_SIZE, "1M")
                        .dataPath(directory.resolve("second"))
                        .port(0)
                        .bindAddress("127.0.0.1")
                        .build();
        try (BrokerServer other = BrokerServer.start(config);
                RawClient its = new RawClient(other.port())) {
            assertThat(its.ask("reload 0 1\r\n").text())
                    .isEqualTo(
                            "BAD_REQUEST the broker was started without a configuration file"
                                    + " (--config)");
        }
    }

    // ---- JMX

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

    private BrokerMXBean broker() {
        return JMX.newMXBeanProxy(
                beans, BrokerJmx.name("Broker", 3, server.port()), BrokerMXBean.class);
    }

    private TransactionsMXBean transactions() {
        return JMX.newMXBeanProxy(
                beans, BrokerJmx.name("Transactions", 3, server.port()), TransactionsMXBean.class);
    }

    @Test
    void shouldShowTheBrokerByJmx() throws Exception {
        put("orders", 1);
        BrokerMXBean broker = broker();
        assertThat(broker.getBrokerId()).isEqualTo(3);
        assertThat(broker.getPort()).isEqualTo(server.port());
        assertThat(broker.getVersion()).isNotEmpty();
        assertThat(broker.getConnectionCount()).isEqualTo(1);
        assertThat(broker.getConfigFile()).isEqualTo(file.toAbsolutePath().toString());
        assertThat(broker.getConfigChecksum()).isEqualTo(ConfigFile.read(file).checksum());
        List<TopicView> topics = broker.getTopics();
        assertThat(topics).extracting(TopicView::getName).containsExactly("orders", "gone");
        assertThat(topics.get(0).getPartitionCount()).isEqualTo(2);
        assertThat(topics.get(0).getMessageCount()).isEqualTo(1);
        assertThat(topics.get(0).getLengthBytes()).isEqualTo(25);
        assertThat(topics.get(0).isServed()).isTrue();
        assertThat(topics.get(0).isAcceptPublish()).isTrue();
        assertThat(topics.get(0).isAcceptSubscribe()).isTrue();
        assertThat(topics.get(0).getClosedPartitions()).isEmpty();
    }

    @Test
    void shouldReloadByJmx() throws Exception {
        write(
                "[system]",
                "brokerId=3",
                "[topic=orders]",
                "numPartitions=2",
                "[topic=gone]",
                "[topic=fresh]");
        assertThat(broker().reload()).isEqualTo("topic fresh: added");
        assertThat(broker().getConfigChecksum()).isEqualTo(ConfigFile.read(file).checksum());
        write("[topic=orders]", "numPartitions=0");
        assertThatThrownBy(() -> broker().reload())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("numPartitions = 0 is out of range")
                .hasNoCause();
    }

    @Test
    void shouldCloseAndOpenPartitionsByJmxAndKeepThemClosedOverARestart() throws Exception {
        put("orders", 1);
        assertThat(broker().closePartitions("orders", 1, 1))
                .isEqualTo("closed partitions 1..1 of orders");
        assertThat(List.of(put("orders", 0), put("orders", 1), get("orders", 1)))
                .containsExactly(200, 403, 403);
        restart();
        assertThat(List.of(put("orders", 0), put("orders", 1), get("orders", 1)))
                .containsExactly(200, 403, 403);
        broker().openPartitions("orders");
        assertThat(List.of(put("orders", 1), get("orders", 1))).containsExactly(200, 200);
        assertThatThrownBy(() -> broker().closePartitions("orders", 0, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("orders has the partitions 0..1, not 0..2");
        assertThatThrownBy(() -> broker().openPartitions("none", 0, 2))
                .hasMessage("there is no topic none");
    }

    @Test
    void shouldTakeACheckpointByJmx() throws IOException {
        put("orders", 0);
        String first = broker().checkpoint();
        assertThat(first).startsWith("checkpoint at ");
        put("orders", 0);
        assertThat(broker().checkpoint()).isNotEqualTo(first);
    }

    @Test
    void shouldShowAndSettlePreparedTransactionsByJmx() throws Exception {
        String one = BranchId.xa(7, new byte[] {1}, new byte[] {1}).toString();
        String two = BranchId.xa(7, new byte[] {1}, new byte[] {2}).toString();
        for (String key : List.of(one, two)) {
            assertThat(status("transaction " + key + " s BEGIN 3\r\n")).isEqualTo(200);
            assertThat(status("put orders 0 5 0 -1 " + key + " 1\r\nhello")).isEqualTo(200);
            assertThat(transactions().getPreparedCount()).isEqualTo(key.equals(one) ? 0 : 1);
            assertThat(transactions().getActiveCount()).isEqualTo(1);
            assertThat(status("transaction " + key + " s PREPARE 4\r\n")).isEqualTo(200);
        }
        assertThat(transactions().getOldestPreparedAgeMs()).isBetween(0L, 60_000L);
        List<BranchView> prepared = transactions().getPrepared();
        assertThat(prepared).extracting(BranchView::getKey).containsExactly(one, two);
        BranchView first = prepared.get(0);
        assertThat(first.getFormat()).isEqualTo(7);
        assertThat(first.getGlobalId()).isEqualTo("01");
        assertThat(first.getState()).isEqualTo("PREPARED");
        assertThat(first.getConnection()).contains(" from /127.0.0.1:");
        assertThat(first.getSent()).hasSize(1);
        assertThat(first.getSent().get(0).getDestination()).isEqualTo("orders");
        assertThat(first.getSent().get(0).getMessages()).isEqualTo(1);
        assertThat(first.getSent().get(0).getBytes()).isEqualTo(25);
        assertThat(first.getAcknowledged()).isEmpty();
        assertThat(Instant.parse(first.getPreparedAt()))
                .isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        transactions().commitHeuristically(one);
        transactions().rollbackHeuristically(two);
        assertThat(transactions().getPrepared()).isEmpty();
        assertThat(transactions().getBranches())
                .extracting(BranchView::getState)
                .containsExactly("HEURISTIC_COMMITTED", "HEURISTIC_ROLLED_BACK");
        assertThat(broker().getTopics().get(0).getMessageCount()).isEqualTo(1);
        assertThat(transactions().getHeuristicOutcomes())
                .extracting(HeuristicView::isCommitted)
                .containsExactly(true, false);
        restart();
        assertThat(Instant.parse(transactions().getHeuristicOutcomes().get(0).getDecidedAt()))
                .isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        transactions().forget(one);
        assertThat(transactions().getHeuristicOutcomes())
                .extracting(HeuristicView::getKey)
                .containsExactly(two);
        assertThatThrownBy(() -> transactions().forget(one))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(one + " has no heuristic outcome");
    }

    @Test
    void shouldKeepTwoBrokersOfOneJvmApartAndTakeTheirBeansOutWhenTheyStop() throws Exception {
        ObjectName all = new ObjectName("org.metaq:*");
        try (BrokerServer second = startServer("second")) {
            assertThat(beans.queryNames(all, null)).hasSize(4);
            BrokerMXBean its =
                    JMX.newMXBeanProxy(
                            beans, BrokerJmx.name("Broker", 3, second.port()), BrokerMXBean.class);
            assertThat(its.getConnectionCount()).isZero();
            assertThat(broker().getConnectionCount()).isEqualTo(1);
        }
        assertThat(beans.queryNames(all, null)).hasSize(2);
        broker().stop();
        server.closed().get(60, TimeUnit.SECONDS);
        assertThat(beans.queryNames(all, null)).isEmpty();
    }
}
