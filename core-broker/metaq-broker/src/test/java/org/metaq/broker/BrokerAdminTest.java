package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.BranchId;
import org.metaq.common.Checksums;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;

/** What operators see and do, and which topics clients may use. */
class BrokerAdminTest {
    private static final BranchId XID = BranchId.xa(100, new byte[] {1}, new byte[] {2});

    @TempDir Path root;

    private TestBroker broker;
    private TestBroker.Client client;

    @BeforeEach
    void start() {
        start(true, Map.of("orders", TopicSettings.defaults(3)));
    }

    private void start(boolean autoCreate, Map<String, TopicSettings> sections) {
        BrokerConfig d = BrokerConfig.defaults(1);
        BrokerConfig config =
                new BrokerConfig(
                        1,
                        new TopicCatalog(TopicSettings.defaults(1), sections),
                        autoCreate,
                        d.maxMessageSizeBytes(),
                        d.maxTransactionSizeBytes(),
                        d.transactionMemoryBytes(),
                        d.transactionTimeoutMs(),
                        d.outcomeRetentionMs(),
                        d.outcomeCountMax(),
                        d.checkpointBytes(),
                        60_000,
                        d.maxSegmentSizeBytes(),
                        d.maxTransferSizeBytes(),
                        true,
                        0);
        broker = new TestBroker(root.resolve(Boolean.toString(autoCreate)), config);
        client = broker.connect();
    }

    private void crash() {
        broker.crash();
        client = broker.connect();
    }

    private BrokerAdmin admin() {
        return broker.broker.admin();
    }

    /** The result, a doWork later. */
    private String done(CompletableFuture<String> future) {
        broker.broker.doWork();
        assertThat(future).isCompleted();
        return future.join();
    }

    private void refused(CompletableFuture<String> future, String text) {
        broker.broker.doWork();
        assertThat(future)
                .isCompletedExceptionally()
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalArgumentException.class)
                .withMessageContaining(text);
    }

    private int put(String topic, int partition) {
        ByteBuffer body = ByteBuffer.wrap("m".getBytes(StandardCharsets.UTF_8));
        int checksum = Checksums.messageChecksum(body);
        return status(o -> new Command.Put(topic, partition, 0, checksum, body, o));
    }

    private int get(String topic, int partition) {
        return status(o -> new Command.Get(topic, "g", partition, 0, 1000, o));
    }

    private int status(TestBroker.Client.Request request) {
        return client.link.results.get(client.submit(request)).status();
    }

    private String text(TestBroker.Client.Request request) {
        return client.link.results.get(client.submit(request)).text();
    }

    // ---- partitions

    @Test
    void shouldCloseAndOpenPartitionsForPutAndGetAlsoOverARestart() {
        assertThat(put("orders", 1)).isEqualTo(200);
        assertThat(done(admin().closePartitions("orders", 1, 2)))
                .isEqualTo("closed partitions 1..2 of orders");
        assertThat(List.of(put("orders", 0), put("orders", 1), get("orders", 1)))
                .containsExactly(200, 403, 403);
        crash();
        assertThat(List.of(put("orders", 0), put("orders", 1), get("orders", 1)))
                .containsExactly(200, 403, 403);
        assertThat(admin().topics().get(0).closedPartitions()).containsExactly(1, 2);
        done(admin().openPartitions("orders", 1, 1));
        assertThat(admin().topics().get(0).closedPartitions()).containsExactly(2);
        done(admin().openPartitions("orders"));
        assertThat(List.of(put("orders", 2), put("orders", 1), get("orders", 1)))
                .containsExactly(200, 200, 200);
    }

    @Test
    void shouldRefusePartitionsThatThereAreNot() {
        refused(admin().closePartitions("none", 0, 0), "there is no topic none");
        refused(
                admin().closePartitions("orders", 0, 3),
                "orders has the partitions 0..2, not 0..3");
        refused(admin().closePartitions("orders", 2, 1), "not 2..1");
        refused(admin().openPartitions("orders", -1, 0), "not -1..0");
        refused(admin().openPartitions("none"), "there is no topic none");
    }

    // ---- transactions

    @Test
    void shouldShowAndSettleInDoubtBranchesAndForgetThem() {
        client.begin(XID);
        client.send("orders", "a", XID);
        client.send("orders", "b", XID);
        assertThat(admin().activeTransactionCount()).isEqualTo(1);
        client.end(XID, Settlement.NONE);
        client.prepare(XID);
        assertThat(admin().activeTransactionCount()).isZero();
        crash();
        assertThat(admin().branches(true)).containsExactly(XID);
        assertThat(admin().inDoubt()).isEqualTo(new BrokerAdmin.InDoubt(1, broker.wallMs()));
        refused(admin().forget(XID.toString()), "is not finished");
        done(admin().commitHeuristically(XID.toString()));
        assertThat(admin().branches(true)).isEmpty();
        assertThat(admin().topics().get(0).messageCount()).isEqualTo(2);
        assertThat(admin().heuristicOutcomes()).hasSize(1);
        assertThat(admin().heuristicOutcomes().get(0).isCommitted()).isTrue();
        refused(admin().rollbackHeuristically(XID.toString()), "is not prepared");
        done(admin().forget(XID.toString()));
        assertThat(admin().heuristicOutcomes()).isEmpty();
    }

    @Test
    void shouldSayThatAKeyIsNone() {
        refused(admin().commitHeuristically("nonsense"), "nonsense");
        refused(admin().forget(XID.toString()), "has no heuristic outcome");
    }

    // ---- checkpoints

    @Test
    void shouldTakeACheckpointThatIsAskedFor() {
        put("orders", 0);
        CompletableFuture<String> first = admin().checkpoint();
        broker.broker.doWork();
        assertThat(done(first)).startsWith("checkpoint at ");
    }

    @Test
    void shouldTakeACheckpointAfterTheIntervalIfThereIsAnythingNew() throws Exception {
        Path newest = root.resolve("true");
        broker.advance(60_000);
        broker.advance(1);
        put("orders", 0);
        String before = names(newest);
        broker.advance(59_000);
        broker.advance(1);
        assertThat(names(newest)).isEqualTo(before);
        broker.advance(1_000);
        broker.advance(1);
        String after = names(newest);
        assertThat(after).isNotEqualTo(before);
        broker.advance(120_000);
        broker.advance(1);
        assertThat(names(newest)).isEqualTo(after);
    }

    private static String names(Path directory) throws java.io.IOException {
        try (var files = java.nio.file.Files.walk(directory)) {
            return files.map(Path::toString)
                    .filter(name -> name.contains("checkpoint"))
                    .sorted()
                    .toList()
                    .toString();
        }
    }

    // ---- which topics there are

    @Test
    void shouldServeAfterAReconfigurationWhatTheCatalogNowSays() {
        List<List<TopicRegistration>> told = new ArrayList<>();
        broker.broker.onTopicsChanged(told::add);
        broker.broker.doWork();
        assertThat(told).containsExactly(List.of(new TopicRegistration("orders", 3, true, true)));
        TopicSettings d = TopicSettings.defaults(2);
        TopicSettings silent =
                new TopicSettings(
                        5,
                        false,
                        true,
                        false,
                        d.deletePolicy(),
                        d.deleteWhen(),
                        0,
                        false,
                        0,
                        10_000,
                        "",
                        Map.of());
        List<String> deviations =
                broker.broker.reconfigure(
                        new TopicCatalog(
                                TopicSettings.defaults(1), Map.of("orders", d, "silent", silent)));
        broker.broker.doWork();
        assertThat(deviations)
                .containsExactly(
                        "orders keeps its 3 partitions: numPartitions = 2 takes none away");
        assertThat(told.get(1))
                .containsExactlyInAnyOrder(
                        new TopicRegistration("orders", 3, true, true),
                        new TopicRegistration("silent", 5, false, true));
        assertThat(put("silent", 4)).isEqualTo(403);
        assertThat(get("silent", 4)).isEqualTo(404);
    }

    @Test
    void shouldNeitherRegisterNorServeATopicThatNoSectionNamesWhenNoneIsCreatedOnUse() {
        Map<String, TopicSettings> sections =
                Map.of("orders", TopicSettings.defaults(1), "log*", TopicSettings.defaults(2));
        start(false, sections);
        List<List<TopicRegistration>> told = new ArrayList<>();
        broker.broker.onTopicsChanged(told::add);
        assertThat(List.of(put("orders", 0), put("logs", 1), put("other", 0)))
                .containsExactly(200, 200, 500);
        assertThat(told.get(told.size() - 1))
                .extracting(TopicRegistration::topic)
                .containsExactlyInAnyOrder("orders", "logs");
        assertThat(client.topic("log2")).isEqualTo("log2");
        broker.broker.reconfigure(
                new TopicCatalog(
                        TopicSettings.defaults(1), Map.of("log*", TopicSettings.defaults(2))));
        assertThat(put("orders", 0)).isEqualTo(403);
        assertThat(text(o -> new Command.Get("orders", "g", 0, 0, 1000, o)))
                .isEqualTo(
                        "orders is not served: no section of server.ini names it, and"
                                + " autoCreateDestinations is false");
        assertThat(client.error(client.sendOf("orders", "x", null, 0, 0)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(told.get(told.size() - 1))
                .extracting(TopicRegistration::topic)
                .containsExactlyInAnyOrder("logs", "log2");
        broker.broker.reconfigure(new TopicCatalog(TopicSettings.defaults(1), sections));
        assertThat(List.of(put("orders", 0), get("orders", 0))).containsExactly(200, 200);
        String temporary =
                client.ok(o -> new Command.CreateTemporary(DestinationKind.TEMPORARY_QUEUE, o));
        client.send(temporary.split(" ")[0], "x");
    }

    // ---- reload

    @Test
    void shouldLetOnlyLocalClientsReload() {
        assertThat(client.error(Command.Reload::new)).isEqualTo(ErrorCode.FORBIDDEN);
        TestLink local = new TestLink();
        local.isLocal = true;
        BrokerConnection connection = broker.broker.connect(local);
        broker.broker.submit(connection, new Command.Reload(1));
        assertThat(local.results.get(1).error()).isEqualTo(ErrorCode.BAD_REQUEST);
        broker.broker.adminHandler(reply -> reply.ok("nothing changed"));
        broker.broker.submit(connection, new Command.Reload(2));
        assertThat(local.results.get(2).text()).isEqualTo("nothing changed");
    }
}
