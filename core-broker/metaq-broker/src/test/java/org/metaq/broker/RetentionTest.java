package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.broker.TestBroker.Client;
import org.metaq.broker.filter.MessageFilter;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Topic;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.Settlement;
import org.metaq.protocol.SubscribeOptions;
import org.metaq.store.log.PartitionLog;

class RetentionTest {
    private static final long HOUR_MS = 3_600_000;
    private static final long MINUTE_MS = 60_000;
    private static final int SEGMENT = 1000;

    /** Ages are looked at every hour. */
    private static final RetentionTimes HOURLY =
            (deleteWhen, afterMs) -> (afterMs / HOUR_MS + 1) * HOUR_MS;

    @TempDir Path root;

    private static TopicSettings settings(String policy, long maxBytes, boolean unconsumed) {
        TopicSettings d = TopicSettings.defaults(1);
        return new TopicSettings(
                1,
                true,
                true,
                false,
                DeletePolicy.parse(policy),
                d.deleteWhen(),
                maxBytes,
                unconsumed,
                0,
                d.unflushIntervalMs(),
                "",
                Map.of());
    }

    private TestBroker start(TopicSettings settings) {
        BrokerConfig d = BrokerConfig.defaults(1);
        TestBroker broker =
                new TestBroker(
                        root,
                        new BrokerConfig(
                                1,
                                TopicCatalog.of(settings),
                                true,
                                d.maxMessageSizeBytes(),
                                d.maxTransactionSizeBytes(),
                                d.transactionMemoryBytes(),
                                d.transactionTimeoutMs(),
                                d.outcomeRetentionMs(),
                                d.outcomeCountMax(),
                                d.checkpointBytes(),
                                d.checkpointIntervalMs(),
                                SEGMENT,
                                d.maxTransferSizeBytes(),
                                true,
                                0));
        broker.broker.scheduleRetention(HOURLY);
        return broker;
    }

    private static Partition partition(TestBroker broker, String topic) {
        Topic found = broker.broker.state().topic(topic);
        assertThat(found).isNotNull();
        return found.partitions().get(0);
    }

    private static PartitionLog log(TestBroker broker, String topic) {
        return (PartitionLog) partition(broker, topic).log();
    }

    /** Messages of more than half a segment: two to each. */
    private static void send(Client client, String topic, int count) {
        for (int i = 0; i < count; i++) {
            client.send(topic, "x".repeat(600));
        }
    }

    private List<String> files(String topic) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("topics").resolve(topic + "-0"))) {
            return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
        }
    }

    @Test
    void shouldDeleteClosedSegmentsOlderThanTheirPolicyAtTheTimesOfDeleteWhen() throws IOException {
        TestBroker broker = start(settings("delete,3h", 0, false));
        Client client = broker.connect();
        String topic = client.topic("orders");
        send(client, topic, 4);
        broker.advance(HOUR_MS);
        send(client, topic, 5);

        broker.advance(2 * HOUR_MS - MINUTE_MS);
        assertThat(log(broker, topic).startSequence()).isZero();

        broker.advance(HOUR_MS);
        assertThat(log(broker, topic).startSequence()).isEqualTo(4);
        broker.advance(1);
        assertThat(files(topic)).hasSize(6);

        broker.advance(100 * HOUR_MS);
        assertThat(log(broker, topic).startSequence()).as("the active one stays").isEqualTo(8);
    }

    @Test
    void shouldAnswer301WithTheNewStartToAGetOfADeletedOffset() {
        TestBroker broker = start(settings("", 2500, false));
        Client client = broker.connect();
        String topic = client.topic("orders");
        send(client, topic, 9);

        broker.advance(MINUTE_MS);

        long start = log(broker, topic).startOffset();
        assertThat(start).isPositive();
        int opaque = client.submit(o -> new Command.Get(topic, "g", 0, 0, 4096, o));
        var answer = client.link.results.get(opaque);
        assertThat(answer).isNotNull();
        assertThat(answer.status()).isEqualTo(301);
        assertThat(answer.text()).isEqualTo(Long.toString(start));
    }

    @Test
    void shouldMoveAFilteredReadBehindWhatWasTrimmedWhileItsFilterRan() {
        TopicSettings d = settings("", 2500, false);
        TopicSettings filtered =
                new TopicSettings(
                        1,
                        true,
                        true,
                        false,
                        d.deletePolicy(),
                        d.deleteWhen(),
                        d.maxPartitionBytes(),
                        false,
                        0,
                        d.unflushIntervalMs(),
                        "",
                        Map.of("g", "First"));
        TestBroker broker = start(filtered);
        List<Runnable> tasks = new ArrayList<>();
        broker.broker.filters(new FirstOnly(tasks));
        Client client = broker.connect();
        String topic = client.topic("orders");
        send(client, topic, 9);
        int opaque = client.submit(o -> new Command.Get(topic, "g", 0, 0, 4096, o));

        broker.advance(MINUTE_MS);
        tasks.forEach(Runnable::run);
        broker.advance(1);

        long start = log(broker, topic).startOffset();
        var answer = client.link.results.get(opaque);
        assertThat(answer).isNotNull();
        assertThat(start).isPositive();
        assertThat(answer.status() + " " + answer.text()).isEqualTo("301 " + start);
    }

    /** Accepts the first message of a log; runs when the test says so. */
    private record FirstOnly(List<Runnable> tasks) implements Filters {
        @Override
        public MessageFilter filter(String className) {
            return (group, message) -> message.offset() == 0;
        }

        @Override
        public Executor executor() {
            return tasks::add;
        }

        @Override
        public void failed(String className, Throwable cause) {
            throw new AssertionError(className, cause);
        }
    }

    @Test
    void shouldDeleteOldestSegmentsWhileAPartitionIsLongerThanItMayBe() {
        TestBroker broker = start(settings("", 4000, false));
        Client client = broker.connect();
        String topic = client.topic("orders");
        send(client, topic, 20);
        PartitionLog log = log(broker, topic);
        assertThat(log.endOffset() - log.startOffset()).isGreaterThan(12_000);

        broker.advance(MINUTE_MS);

        assertThat(log.endOffset() - log.startOffset()).isBetween(2500L, 4000L);
        assertThat(log.endSequence()).isEqualTo(20);
    }

    @Test
    void shouldKeepWhatADurableSubscriptionNeedsAndDeliverIt() {
        TestBroker broker = start(settings("delete,1s", 1000, false));
        Client client = broker.connect("c");
        String topic = client.topic("orders");
        long subscription = client.subscribe(1, topic, "s", true, false);
        send(client, topic, 9);
        client.receive(1, 5);
        client.acknowledge(subscription, 0, 4);

        broker.advance(HOUR_MS);

        assertThat(log(broker, topic).startSequence()).isEqualTo(4);
        assertThat(client.receive(1, 10))
                .extracting(TestBroker.Received::sequence)
                .containsExactly(5L, 6L, 7L, 8L);
        client.acknowledge(subscription, 5, 8);
        broker.advance(HOUR_MS);
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
    }

    @Test
    void shouldKeepWhatAConnectedConsumerNeedsUntilItIsGone() {
        TestBroker broker = start(settings("delete,1s", 0, false));
        Client client = broker.connect();
        String topic = client.topic("orders");
        client.consume(1, topic);
        send(client, topic, 9);

        broker.advance(HOUR_MS);
        assertThat(log(broker, topic).startSequence()).isZero();

        client.disconnect();
        broker.advance(HOUR_MS);
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
    }

    @Test
    void shouldMoveSubscriptionsOverWhatGoesWhenTheTopicDeletesUnconsumed() {
        TestBroker broker = start(settings("delete,1s", 0, true));
        Client client = broker.connect("c");
        String topic = client.topic("orders");
        long subscription = client.subscribe(1, topic, "s", true, false);
        client.consume(2, topic);
        send(client, topic, 9);
        client.receive(1, 3);

        broker.advance(HOUR_MS);

        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
        client.acknowledge(subscription, 1, 1);
        client.release(subscription, 2, 2, true);
        assertThat(client.receive(1, 10))
                .extracting(TestBroker.Received::sequence)
                .containsExactly(8L);
        assertThat(client.receive(2, 10))
                .extracting(TestBroker.Received::sequence)
                .containsExactly(8L);
        assertThat(partition(broker, topic).topic().subscriptions())
                .allMatch(each -> each.backlog() == 1);
        broker.crash();
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
        assertThat(partition(broker, topic).topic().subscriptions())
                .allMatch(each -> each.backlog() == 1);
    }

    @Test
    void shouldNeverTrimWhatAPreparedBranchHolds() {
        TestBroker broker = start(settings("delete,1s", 0, true));
        Client client = broker.connect("c");
        String topic = client.topic("orders");
        long subscription = client.subscribe(1, topic, "s", true, false);
        send(client, topic, 9);
        client.receive(1, 5);
        client.acknowledge(subscription, 0, 3);
        BranchId branch = BranchId.xa(1, new byte[] {1}, new byte[] {2});
        client.begin(branch);
        client.end(branch, client.of(subscription, 4, 4));
        client.prepare(branch);

        broker.advance(HOUR_MS);
        assertThat(log(broker, topic).startSequence()).isEqualTo(4);

        client.rollback(branch);
        broker.advance(HOUR_MS);
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
    }

    @Test
    void shouldIgnoreAcknowledgementsOfTrimmedMessagesInABranchThatCommitsLater() {
        TestBroker broker = start(settings("delete,1s", 0, true));
        Client client = broker.connect("c");
        String topic = client.topic("orders");
        long subscription = client.subscribe(1, topic, "s", true, false);
        send(client, topic, 9);
        client.receive(1, 9);
        broker.advance(HOUR_MS - 30_000 - broker.wallMs() % HOUR_MS);
        BranchId branch = BranchId.xa(1, new byte[] {1}, new byte[] {2});
        client.begin(branch);

        broker.advance(31_000);
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
        client.end(branch, client.of(subscription, 2, 8));
        client.prepare(branch);
        broker.crash();
        Client later = broker.connect("c");
        assertThat(partition(broker, topic).topic().subscriptions())
                .allMatch(each -> each.backlog() == 0 && each.isLocked());
        later.ok(o -> new Command.Commit(branch, false, Settlement.NONE, o));

        assertThat(partition(broker, topic).topic().subscriptions())
                .allMatch(each -> each.backlog() == 0 && !each.isLocked());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldNotBringBackWhatWasTrimmedOnceItsSubscriberWasGone(int maxDeliveries) {
        TestBroker broker = start(settings("delete,1s", 0, false));
        Client client = broker.connect();
        String topic = client.topic("orders");
        long subscription = subscribe(client, topic, false, maxDeliveries);
        broker.advance(HOUR_MS - 30_000 - broker.wallMs() % HOUR_MS);
        send(client, topic, 9);
        client.receive(1, 9);
        BranchId branch = BranchId.xa(1, new byte[] {1}, new byte[] {2});
        client.begin(branch);
        client.end(branch, client.of(subscription, 0, 8));
        client.closeConsumer(1);

        broker.advance(31_000);
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
        client.rollback(branch);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldNotBringBackWhatWasTrimmedUnderASubscriber(int maxDeliveries) {
        TestBroker broker = start(settings("delete,1s", 0, true));
        Client client = broker.connect("c");
        String topic = client.topic("orders");
        long subscription = subscribe(client, topic, true, maxDeliveries);
        send(client, topic, 9);
        client.receive(1, 9);

        broker.advance(HOUR_MS);
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
        client.release(subscription, 0, 8, true);
        assertThat(client.receive(1, 10))
                .extracting(TestBroker.Received::sequence)
                .containsExactlyElementsOf(maxDeliveries == 1 ? List.of() : List.of(8L));
    }

    private static long subscribe(
            Client client, String topic, boolean isDurable, int maxDeliveries) {
        Map<String, String> options = Map.of("maxDeliveries", String.valueOf(maxDeliveries));
        String name = isDurable ? "s" : "";
        return client.subscribe(
                1, topic, name, isDurable, false, "", new SubscribeOptions(null, false, options));
    }

    @Test
    void shouldDeleteConsumedSegmentsOfAQueueAtEveryLookUnlessItHasNoPolicy() {
        TestBroker broker = start(settings("delete,168", 0, false));
        Client client = broker.connect();
        String queue = client.queue("jobs");
        long subscription = client.consume(1, queue);
        send(client, queue, 9);
        client.receive(1, 9);
        client.acknowledge(subscription, 0, 6);

        broker.advance(MINUTE_MS);
        assertThat(log(broker, queue).startSequence()).isEqualTo(6);

        client.acknowledge(subscription, 7, 8);
        broker.broker.reconfigure(TopicCatalog.of(settings("", 0, false)));
        broker.advance(MINUTE_MS);
        assertThat(log(broker, queue).startSequence()).as("kept for replay").isEqualTo(6);
    }

    @Test
    void shouldArchiveEachSegmentBeforeItGoesAndLeaveArchivesAloneInARestart() throws IOException {
        assertArchived("archive,1s", ".arc");
    }

    @Test
    void shouldZipEachSegmentBeforeItGoesAndLeaveZipsAloneInARestart() throws IOException {
        assertArchived("archive,1s,true", ".zip");
    }

    private void assertArchived(String policy, String suffix) throws IOException {
        TestBroker broker = start(settings(policy, 0, false));
        Client client = broker.connect();
        String topic = client.topic("orders");
        send(client, topic, 9);
        broker.advance(HOUR_MS);
        // A copy and a record for each of four segments.
        for (int i = 0; i < 10; i++) {
            broker.advance(1);
        }
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
        List<String> names = files(topic);
        assertThat(names).filteredOn(name -> name.endsWith(suffix)).hasSize(4);
        assertThat(names).filteredOn(name -> name.endsWith(".meta")).hasSize(1);

        broker.restart();

        assertThat(files(topic)).containsExactlyElementsOf(names);
        assertThat(log(broker, topic).startSequence()).isEqualTo(8);
        broker.broker.close();
    }

    @Test
    void shouldKeepArchivesWhenReplayRebuildsTheSegmentsWithoutACheckpoint() throws IOException {
        TestBroker broker = start(settings("archive,1s", 0, false));
        Client client = broker.connect();
        String topic = client.topic("orders");
        send(client, topic, 9);
        PartitionLog log = log(broker, topic);
        log.archive(log.closedSegments().get(0), org.metaq.store.log.SegmentArchive.Format.PLAIN);

        broker.crash();

        assertThat(files(topic)).contains("00000000000000000000.arc");
        assertThat(log(broker, topic).endSequence()).isEqualTo(9);
    }

    @Test
    void shouldGiveSpaceBackSoonAndNotBringItBackAfterACrash() throws IOException {
        TestBroker broker = start(settings("", 2000, false));
        Client client = broker.connect();
        String topic = client.topic("orders");
        send(client, topic, 200);
        long before = diskUse();

        broker.advance(MINUTE_MS);
        broker.advance(1);

        assertThat(before - diskUse()).isGreaterThan(190 * 600);
        broker.crash();
        assertThat(files(topic)).hasSize(2 * log(broker, topic).closedSegments().size() + 2);
        assertThat(log(broker, topic).endSequence()).isEqualTo(200);
    }

    private long diskUse() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("topics"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
