package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.TestBroker.Client;
import org.metaq.broker.state.DelayLog;
import org.metaq.broker.state.Topic;
import org.metaq.common.BranchId;
import org.metaq.common.Checksums;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.Settlement;
import org.metaq.protocol.StartPosition;
import org.metaq.protocol.SubscribeOptions;
import org.metaq.store.log.PartitionLog;

class DelayTest {
    private static final int SEGMENT = 2000;

    @TempDir Path root;
    private TestBroker host;
    private Client client;

    @BeforeEach
    void start() {
        BrokerConfig d = BrokerConfig.defaults(1);
        host =
                new TestBroker(
                        root,
                        new BrokerConfig(
                                1,
                                d.topics(),
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
        client = host.connect();
    }

    // ---- helpers

    private ByteBuffer body(String text, long delayMs, long ttlMs, int priority) {
        long now = host.wallMs();
        byte[] envelope =
                new Envelope(
                                Envelope.BodyType.TEXT,
                                2,
                                priority,
                                now,
                                ttlMs == 0 ? 0 : now + ttlMs,
                                now + delayMs,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                Map.of())
                        .encode();
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + envelope.length + payload.length)
                .putInt(envelope.length)
                .put(envelope)
                .put(payload)
                .flip();
    }

    private Client.Request sendOf(
            String topic, ByteBuffer body, @Nullable BranchId branch, long producer, long number) {
        return o ->
                new Command.Send(
                        topic,
                        -1,
                        MessageFormat.FLAG_ATTRIBUTE | MessageFormat.FLAG_ENVELOPE,
                        Checksums.messageChecksum(body),
                        producer,
                        number,
                        Durability.POLICY,
                        branch,
                        body.duplicate(),
                        o);
    }

    private String send(String topic, String text, long delayMs) {
        return client.ok(sendOf(topic, body(text, delayMs, 0, 4), null, 0, 0));
    }

    /** Payloads that a consumer gets now; what was delivered before comes in a batch of its own. */
    private List<String> texts(int consumerId, int max) {
        List<String> texts = new ArrayList<>();
        List<String> some = client.texts(consumerId, max);
        while (!some.isEmpty()) {
            some.forEach(text -> texts.add(payload(text)));
            some = client.texts(consumerId, max);
        }
        return texts;
    }

    /** What stands behind the envelope. */
    private static String payload(String body) {
        return body.substring(body.lastIndexOf('\0') + 1);
    }

    private static String text(String name) {
        return "\0" + name;
    }

    private void work() {
        while (host.broker.doWork() > 0) {
            // all of it
        }
    }

    private void advance(long ms) {
        host.advance(ms);
        work();
    }

    private void crash() {
        host.crash();
        client = host.connect();
        work();
    }

    private DelayLog delayLog(String topic) {
        Topic found = host.broker.state().topic(topic);
        assertThat(found).isNotNull();
        DelayLog log = found.partitions().get(0).delayed();
        assertThat(log).isNotNull();
        return log;
    }

    // ---- tests

    @Test
    void shouldDeliverAtItsTimeAndNotBefore() {
        String queue = client.queue("q");
        long subscription = client.consume(1, queue);
        assertThat(send(queue, text("late"), 5000)).endsWith(" 0 -1");
        send(queue, text("now"), 0);

        assertThat(texts(1, 10)).containsExactly("now");
        int waiting = client.acquire(1, 10, 60_000);
        advance(4999);
        assertThat(client.link.deliveries).doesNotContainKey(waiting);
        assertThat(host.broker.nextDeadlineNs())
                .isLessThanOrEqualTo(host.monotonicNs() + 1_000_000);
        advance(1);

        assertThat(client.received(waiting))
                .extracting(r -> payload(r.text()))
                .containsExactly("late");
        client.ok(o -> new Command.Acknowledge(client.of(subscription, 0, 1), o));
        crash();
        client.consume(1, queue);
        assertThat(texts(1, 10)).as("not twice").isEmpty();
    }

    @Test
    void shouldMoveInOrderOfDeliveryTimeThenOfArrival() {
        String queue = client.queue("q");
        client.consume(1, queue);
        send(queue, text("c"), 300);
        send(queue, text("a1"), 100);
        send(queue, text("b"), 200);
        send(queue, text("a2"), 100);

        advance(1000);

        assertThat(texts(1, 10)).containsExactly("a1", "a2", "b", "c");
    }

    @Test
    void shouldKeepWhatWaitsOverCrashesAndRestarts() throws Exception {
        String queue = client.queue("q");
        for (int i = 0; i < 50; i++) {
            send(queue, text("m" + i), 1000 + 10 * i);
            if (i == 20) {
                host.broker.admin().checkpoint();
                work();
            }
        }
        crash();
        client.consume(1, queue);
        advance(1200);
        assertThat(texts(1, 100)).hasSize(21).startsWith("m0").endsWith("m20");
        crash();
        host.restart();
        client = host.connect();
        work();
        assertThat(delayLog(queue).pendingCount()).isEqualTo(29);
        advance(1000);
        client.consume(1, queue);
        assertThat(texts(1, 100)).hasSize(50).startsWith("m0").endsWith("m49");
        assertThat(delayLog(queue).pendingCount()).isZero();
    }

    @Test
    void shouldCountTheDelayOfABranchFromItsSends() {
        String queue = client.queue("q");
        client.consume(1, queue);
        BranchId branch = BranchId.local("client", 1);
        client.ok(sendOf(queue, body(text("due"), 100, 0, 4), branch, 0, 0));
        client.ok(sendOf(queue, body(text("late"), 1000, 0, 4), branch, 0, 0));
        client.ok(sendOf(queue, body(text("plain"), 0, 0, 4), branch, 0, 0));
        advance(200);
        client.ok(o -> new Command.Commit(branch, true, new Settlement(List.of()), o));

        assertThat(texts(1, 10)).containsExactly("due", "plain");
        advance(800);
        assertThat(texts(1, 10)).containsExactly("late");
    }

    @Test
    void shouldAnswerARepeatedDelayedSendAsTheFirst() {
        String queue = client.queue("q");
        ByteBuffer body = body(text("once"), 100, 0, 4);
        String first = client.ok(sendOf(queue, body, null, 7, 1));
        assertThat(client.ok(sendOf(queue, body, null, 7, 1))).isEqualTo(first).endsWith(" -1");
        advance(200);
        assertThat(client.ok(sendOf(queue, body, null, 7, 1))).isEqualTo(first);
        client.consume(1, queue);
        assertThat(texts(1, 10)).containsExactly("once");
    }

    /** Jakarta Messaging 3.1 §7.9. */
    @Test
    void shouldGiveADelayedMessageToTheSubscriptionsOfTheTimeOfItsSend() {
        String topic = client.topic("news");
        client.subscribe(1, topic, "before", true, true);
        send(topic, "late", 1000);
        client.subscribe(2, topic, "after", true, true);
        client.subscribe(3, topic, "", false, false);
        client.subscribe(
                4,
                topic,
                "all",
                true,
                true,
                "",
                new SubscribeOptions(StartPosition.EARLIEST, true, Map.of()));
        host.restart();
        host.crash();
        client = host.connect();
        host.advance(1000);
        client.subscribe(1, topic, "before", true, true);
        client.subscribe(2, topic, "after", true, true);
        client.subscribe(4, topic, "all", true, true);
        assertThat(client.texts(1, 10)).containsExactly("late");
        assertThat(client.texts(2, 10)).isEmpty();
        assertThat(client.texts(4, 10)).containsExactly("late");
    }

    @Test
    void shouldNotGiveADelayedMessageToANonDurableSubscriptionThatCameLater() {
        String topic = client.topic("news");
        client.subscribe(1, topic, "", false, false);
        send(topic, "late", 1000);
        client.subscribe(2, topic, "", false, false);
        host.advance(1000);
        assertThat(client.texts(1, 10)).containsExactly("late");
        assertThat(client.texts(2, 10)).isEmpty();
    }

    @Test
    void shouldKeepPriorityAndExpiration() {
        String queue = client.queue("q");
        client.ok(sendOf(queue, body(text("expires"), 500, 300, 9), null, 0, 0));
        client.ok(sendOf(queue, body(text("stays"), 500, 1000, 7), null, 0, 0));
        long expiration = host.wallMs() + 1000;
        advance(600);
        PartitionLog log =
                (PartitionLog) host.broker.state().topic(queue).partitions().get(0).log();
        assertThat(log.meta(1).priority()).isEqualTo(7);
        assertThat(log.meta(1).expirationMs()).isEqualTo(expiration);
        assertThat(log.meta(1).timestampMs()).isEqualTo(host.wallMs());
        client.consume(1, queue);
        assertThat(texts(1, 10)).containsExactly("stays");
    }

    @Test
    void shouldDropSegmentsOfWhatMovedAndNotBePinnedByAStraggler() {
        String queue = client.queue("q");
        send(queue, text("straggler"), 3_600_000);
        for (int i = 0; i < 200; i++) {
            send(queue, text("x".repeat(300) + i), 100 + i);
        }
        DelayLog log = delayLog(queue);
        assertThat(log.log().endOffset()).isGreaterThan(20 * SEGMENT);
        advance(1000);

        assertThat(log.pendingCount()).isEqualTo(1);
        assertThat(log.log().endOffset() - log.log().startOffset()).isLessThan(3 * SEGMENT);
        crash();
        advance(3_600_000);
        client.consume(1, queue);
        List<String> all = texts(1, 300);
        assertThat(all).hasSize(201).endsWith("straggler");
    }

    @Test
    void shouldKeepTheOrderOfArrivalWhenStragglersAreAppendedAgain() {
        String queue = client.queue("q");
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            send(queue, text("s" + i), 1_000_000);
            expected.add("s" + i);
            send(queue, text("x".repeat(500)), 100);
            send(queue, text("x".repeat(500)), 100);
        }
        advance(1000);
        DelayLog log = delayLog(queue);
        assertThat(log.firstPending()).isGreaterThan(200);
        client.consume(1, queue);
        assertThat(texts(1, 1000)).hasSize(200);
        crash();
        advance(1_000_000);
        client.consume(1, queue);
        assertThat(texts(1, 1000)).hasSize(300).endsWith(expected.toArray(String[]::new));
    }

    @Test
    void shouldMoveManyInBoundedRecords() {
        String queue = client.queue("q");
        for (int i = 0; i < 1000; i++) {
            client.submitOnly(sendOf(queue, body(text("m" + i), 1000, 0, 4), null, 0, 0));
        }
        work();
        host.advance(1000);
        assertThat(delayLog(queue).pendingCount()).isEqualTo(1000 - 256);
        work();
        assertThat(delayLog(queue).pendingCount()).isZero();
        client.consume(1, queue);
        assertThat(texts(1, 2000)).hasSize(1000).startsWith("m0", "m1").endsWith("m998", "m999");
    }

    @Test
    void shouldWaitWithDueMessagesWhileTheDiskIsFull() {
        String queue = client.queue("q");
        client.consume(1, queue);
        send(queue, text("m"), 100);
        host.usableBytes = -1;
        advance(1000);
        assertThat(texts(1, 10)).isEmpty();
        host.usableBytes = Long.MAX_VALUE;
        advance(1000);
        assertThat(texts(1, 10)).containsExactly("m");
    }

    @Test
    void shouldDelayMessagesOfTemporaryDestinationsInMemory() {
        String queue =
                client.ok(o -> new Command.CreateTemporary(DestinationKind.TEMPORARY_QUEUE, o))
                        .split(" ")[0];
        client.consume(1, queue);
        send(queue, text("b"), 200);
        send(queue, text("a"), 100);
        assertThat(texts(1, 10)).isEmpty();
        advance(150);
        assertThat(texts(1, 10)).containsExactly("a");
        advance(100);
        assertThat(texts(1, 10)).containsExactly("b");
    }

    @Test
    void shouldCountDelayedMessagesInTheLimitOfATemporaryDestination() {
        String queue =
                client.ok(o -> new Command.CreateTemporary(DestinationKind.TEMPORARY_QUEUE, o))
                        .split(" ")[0];
        client.consume(1, queue);
        String large = text("x".repeat(900_000));
        for (int i = 0; i < 74; i++) {
            send(queue, large, 1_000_000);
        }
        assertThat(client.error(sendOf(queue, body(large, 5, 0, 4), null, 0, 0)))
                .isEqualTo(ErrorCode.BUSY);
    }

    @Test
    void shouldShowOperatorsHowManyAreDelayed() {
        String queue = client.queue("q");
        send(queue, text("a"), 100);
        send(queue, text("b"), 1000);
        assertThat(host.broker.admin().topics())
                .singleElement()
                .satisfies(
                        t -> {
                            assertThat(t.delayedCount()).isEqualTo(2);
                            assertThat(t.messageCount()).isZero();
                        });
        advance(100);
        assertThat(host.broker.admin().topics())
                .singleElement()
                .satisfies(
                        t -> {
                            assertThat(t.delayedCount()).isEqualTo(1);
                            assertThat(t.messageCount()).isEqualTo(1);
                        });
    }

    @Test
    void shouldLoseNoneAndRepeatNoneOverRandomDelaysAndCrashes() {
        Random random = new Random(5);
        String queue = client.queue("q");
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            send(
                    queue,
                    text("m" + i + "." + "y".repeat(random.nextInt(200))),
                    random.nextInt(3000));
            sent.add("m" + i);
            if (random.nextInt(10) == 0) {
                advance(random.nextInt(300));
            }
            if (random.nextInt(60) == 0) {
                host.broker.admin().checkpoint();
                work();
            }
            if (random.nextInt(60) == 0) {
                crash();
            }
        }
        advance(3000);
        client.consume(1, queue);
        List<String> got =
                texts(1, 1000).stream().map(text -> text.substring(0, text.indexOf('.'))).toList();
        assertThat(got).containsExactlyInAnyOrderElementsOf(sent);
    }
}
