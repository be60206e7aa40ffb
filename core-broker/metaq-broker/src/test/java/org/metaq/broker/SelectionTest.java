package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.StartPosition;
import org.metaq.protocol.SubscribeOptions;

/** Who gets which message: selectors, noLocal, priorities, message groups, browsing. */
class SelectionTest {
    @TempDir Path root;

    private TestBroker broker;
    private TestBroker.Client client;
    private String queue;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BrokerConfig.defaults(0));
        client = broker.connect();
        queue = client.queue("q");
    }

    private void send(String destination, TestMessage... messages) {
        for (TestMessage message : messages) {
            client.send(destination, message);
        }
    }

    private static TestMessage message(String text) {
        return TestMessage.of(text);
    }

    // ---- selectors, Jakarta Messaging 3.1 §3.8

    @Test
    void shouldTakeFromTheMidstOfAQueueWhatASelectorMatches() {
        long queueId = client.select(1, queue, "kind = 'b'");
        send(
                queue,
                message("1").with("kind", "a"),
                message("2").with("kind", "b"),
                message("3").with("kind", "a"),
                message("4").with("kind", "b"));
        assertThat(client.texts(1, 10)).containsExactly("2", "4");
        client.acknowledge(queueId, 1, 1);
        client.acknowledge(queueId, 3, 3);
        client.consume(2, queue);
        assertThat(client.texts(2, 10)).containsExactly("1", "3");
    }

    @Test
    void shouldLeaveAMessageThatNoSelectorMatchesForWhoComesLater() {
        client.select(1, queue, "kind = 'b'");
        send(queue, message("1"));
        assertThat(client.texts(1, 10)).isEmpty();
        client.select(2, queue, "kind IS NULL");
        assertThat(client.texts(2, 10)).containsExactly("1");
    }

    @Test
    void shouldShowASelectorAMessageThatCameBack() {
        long queueId = client.select(1, queue, "kind = 'b'");
        client.consume(2, queue);
        send(queue, message("1").with("kind", "b"), message("2").with("kind", "b"));
        assertThat(client.texts(2, 1)).containsExactly("1");
        assertThat(client.texts(1, 10)).containsExactly("2");
        client.release(queueId, 0, 0, true);
        assertThat(client.receive(1, 10))
                .extracting(TestBroker.Received::text, TestBroker.Received::deliveryCount)
                .containsExactly(org.assertj.core.api.Assertions.tuple("1", 2));
    }

    @Test
    void shouldWakeAWaitingConsumerWhoseSelectorMatches() {
        client.select(1, queue, "kind = 'a'");
        client.select(2, queue, "kind = 'b'");
        int first = client.acquire(1, 10, 60_000);
        int second = client.acquire(2, 10, 60_000);
        send(queue, message("1").with("kind", "b"));
        assertThat(client.link.deliveries).doesNotContainKey(first);
        assertThat(client.received(second))
                .extracting(TestBroker.Received::text)
                .containsExactly("1");
    }

    @Test
    void shouldFindAMatchBehindAHugeBacklogInSeveralTurns() {
        sendMany(10_000);
        send(queue, message("last").with("kind", "b"));
        client.select(1, queue, "kind = 'b'");
        int acquire = client.acquire(1, 10, 60_000);
        assertThat(turnsUntilAnswered(acquire)).isGreaterThan(2);
        assertThat(texts(acquire)).containsExactly("last");
    }

    @Test
    void shouldGoOnLookingBetweenAnAnswerAndTheNextAcquire() {
        send(queue, message("first").with("kind", "b"));
        sendMany(10_000);
        send(queue, message("last").with("kind", "b"));
        client.select(1, queue, "kind = 'b'");
        int first = client.acquire(1, 10, 60_000);
        turnsUntilAnswered(first);
        assertThat(texts(first)).containsExactly("first");
        assertThat(turnsUntilIdle()).isPositive();
        int second = client.acquire(1, 10, 0);
        assertThat(turnsUntilAnswered(second)).isEqualTo(1);
        assertThat(texts(second)).containsExactly("last");
    }

    @Test
    void shouldNotLookFurtherThanForWhatAConsumerTakesAtOnce() {
        for (int i = 0; i < 10_000; i++) {
            client.submitOnly(client.sendOf(queue, "m" + i, null, 0, 0));
        }
        client.select(1, queue, "JMSPriority = 4");
        int first = client.acquire(1, 10, 60_000);
        turnsUntilAnswered(first);
        assertThat(texts(first)).hasSize(10);
        assertThat(turnsUntilIdle()).isLessThan(3);
    }

    private int turnsUntilIdle() {
        int turns = 0;
        while (broker.broker.nextDeadlineNs() <= broker.monotonicNs()) {
            broker.broker.doWork();
            assertThat(++turns).isLessThan(20);
        }
        return turns;
    }

    @Test
    void shouldLookThroughABacklogBeforeItAnswersThatThereIsNothing() {
        sendMany(10_000);
        client.select(1, queue, "kind = 'b'");
        int none = client.acquire(1, 10, 0);
        assertThat(turnsUntilAnswered(none)).isGreaterThan(2);
        assertThat(texts(none)).isEmpty();
        send(queue, message("last").with("kind", "b"));
        assertThat(client.texts(1, 10)).containsExactly("last");
    }

    @Test
    void shouldAnswerAnAcquireThatIsLongOverdueThoughThereIsMoreToLookThrough() {
        sendMany(10_000);
        client.select(1, queue, "kind = 'b'");
        int acquire = client.acquire(1, 10, 0);
        assertThat(client.link.deliveries).doesNotContainKey(acquire);
        broker.advance(5_000);
        assertThat(texts(acquire)).isEmpty();
    }

    @Test
    void shouldSeeAllOfAHugeBacklogBeforeItDeliversByPriority() {
        sendMany(140_000);
        send(queue, message("urgent").priority(9));
        client.consume(1, queue);
        int acquire = client.acquire(1, 2, 0);
        assertThat(turnsUntilAnswered(acquire)).isGreaterThan(2);
        assertThat(texts(acquire)).containsExactly("urgent", "m0");
    }

    @Test
    void shouldBrowseAHugeBacklogThatNobodyHasSeenByPriority() {
        sendMany(140_000);
        send(queue, message("urgent").priority(9));
        assertThat(browse("JMSPriority = 9 OR JMSMessageID = 'none'", 10))
                .containsExactly("urgent");
    }

    @Test
    void shouldLookThroughAnOldTopicInSeveralTurns() {
        String topic = client.topic("t");
        sendMany(topic, 20_000);
        send(topic, message("last").with("kind", "b"));
        client.subscribe(
                1,
                topic,
                "sub",
                true,
                true,
                "kind = 'b'",
                new SubscribeOptions(StartPosition.EARLIEST, true, Map.of()));
        int acquire = client.acquire(1, 10, 0);
        assertThat(turnsUntilAnswered(acquire)).isGreaterThan(2);
        assertThat(texts(acquire)).containsExactly("last");
        assertThat(backlog()).isEqualTo(1);
    }

    @Test
    void shouldDeliverToOthersWhileOneLooksThroughAHugeBacklog() {
        sendMany(20_000);
        client.select(1, queue, "kind = 'b'");
        int looking = client.acquire(1, 10, 60_000);
        String other = client.queue("other");
        client.select(2, other, "kind = 'b'");
        send(other, message("1").with("kind", "b"));
        assertThat(client.texts(2, 10)).containsExactly("1");
        assertThat(client.link.deliveries).doesNotContainKey(looking);
        assertThat(broker.broker.nextDeadlineNs()).isLessThanOrEqualTo(broker.monotonicNs());
    }

    private void sendMany(int count) {
        sendMany(queue, count);
    }

    private void sendMany(String destination, int count) {
        for (int i = 0; i < count; i++) {
            client.submitOnly(client.sendOf(destination, "m" + i, null, 0, 0));
            if (i % 1_000 == 0) {
                broker.broker.doWork();
            }
        }
        broker.broker.doWork();
    }

    private int turnsUntilAnswered(int acquire) {
        int turns = 1;
        while (!client.link.deliveries.containsKey(acquire)) {
            assertThat(broker.broker.nextDeadlineNs()).isLessThanOrEqualTo(broker.monotonicNs());
            broker.broker.doWork();
            assertThat(++turns).isLessThan(20);
        }
        return turns;
    }

    private List<String> texts(int acquire) {
        return client.received(acquire).stream().map(TestBroker.Received::text).toList();
    }

    /** Takes one message; what the consumer wants besides is known to the broker from then on. */
    private List<String> takeOneOfMany(int consumerId) {
        return texts(client.submit(o -> new Command.Acquire(consumerId, 100, 1, 0, o)));
    }

    @Test
    void shouldDeliverAnUrgentMatchBeforeThoseThatWereFoundEarlier() {
        client.select(1, queue, "kind = 'b'");
        send(queue, message("1").with("kind", "b"), message("2").with("kind", "b"));
        assertThat(takeOneOfMany(1)).containsExactly("1");
        send(queue, message("3").with("kind", "b"), message("4").priority(9));
        send(queue, message("5").with("kind", "b").priority(9));
        assertThat(client.texts(1, 10)).containsExactly("5", "2", "3");
    }

    @Test
    void shouldNotDeliverAMatchThatAnotherConsumerTook() {
        client.select(1, queue, "kind = 'b'");
        send(queue, message("1").with("kind", "b"), message("2").with("kind", "b"));
        send(queue, message("3").with("kind", "b"));
        assertThat(takeOneOfMany(1)).containsExactly("1");
        client.select(2, queue, "kind = 'b'");
        assertThat(client.texts(2, 1)).containsExactly("2");
        assertThat(client.texts(1, 10)).containsExactly("3");
    }

    @Test
    void shouldNotDeliverAMatchWhoseMessageGroupAnotherConsumerGot() {
        client.select(1, queue, "kind = 'b'");
        send(queue, message("1").with("kind", "b"));
        send(queue, message("a0").with("kind", "b").group("a"));
        send(queue, message("a1").with("kind", "b").group("a"));
        assertThat(takeOneOfMany(1)).containsExactly("1");
        client.consume(2, queue);
        assertThat(client.texts(2, 1)).containsExactly("a0");
        assertThat(client.texts(1, 10)).isEmpty();
        client.closeConsumer(2);
        assertThat(client.texts(1, 10)).containsExactly("a1");
    }

    @Test
    void shouldFlagAsRedeliveredAfterACrashOnlyWhatWasHandedOut() {
        send(
                queue,
                message("1").with("kind", "a"),
                message("2").with("kind", "b"),
                message("3").with("kind", "a"));
        client.select(1, queue, "kind = 'b'");
        assertThat(client.texts(1, 10)).containsExactly("2");
        broker.crash();
        client = broker.connect();
        client.consume(1, queue);
        assertThat(client.receive(1, 10))
                .extracting(TestBroker.Received::redelivered)
                .containsExactly(false, true, false);
    }

    @Test
    void shouldRefuseASelectorThatDoesNotParse() {
        assertThat(
                        client.error(
                                o ->
                                        new Command.Subscribe(
                                                1, queue, "", false, false, false, "a = ", o)))
                .isEqualTo(ErrorCode.INVALID_SELECTOR);
        assertThat(client.error(o -> new Command.Browse(queue, 0, 0, 1, 1, "a = ", o)))
                .isEqualTo(ErrorCode.INVALID_SELECTOR);
    }

    @Test
    void shouldStoreNothingForADurableSubscriptionThatItsSelectorRejects() {
        String topic = client.topic("t");
        client.subscribe(1, topic, "sub", true, true, "kind = 'b'", SubscribeOptions.NONE);
        client.closeConsumer(1);
        send(topic, message("1").with("kind", "a"), message("2").with("kind", "b"));
        send(topic, message("3").with("kind", "a"));
        assertThat(backlog()).isEqualTo(1);
        broker.crash();
        client = broker.connect();
        assertThat(backlog()).isEqualTo(1);
        client.subscribe(1, topic, "sub", true, true, "kind = 'b'", SubscribeOptions.NONE);
        assertThat(client.texts(1, 10)).containsExactly("2");
    }

    private long backlog() {
        return broker.broker.admin().subscriptions().stream()
                .filter(s -> s.name().equals("sub"))
                .findFirst()
                .orElseThrow()
                .backlog();
    }

    @Test
    void shouldStartADurableSubscriptionAnewWithAnotherSelector() {
        String topic = client.topic("t");
        client.subscribe(1, topic, "sub", true, true, "kind = 'b'", SubscribeOptions.NONE);
        client.closeConsumer(1);
        send(topic, message("1").with("kind", "b"));
        client.subscribe(1, topic, "sub", true, true, "kind = 'c'", SubscribeOptions.NONE);
        send(topic, message("2").with("kind", "c"));
        assertThat(client.texts(1, 10)).containsExactly("2");
    }

    // ---- noLocal, §4.2.2

    @Test
    void shouldLeaveOutWhatItsOwnConnectionSent() {
        String topic = client.topic("t");
        client.ok(o -> new Command.Subscribe(1, topic, "", false, false, true, "", o));
        send(
                topic,
                message("mine").from(client.connection.id()),
                message("another's").from("somebody"));
        assertThat(client.texts(1, 10)).containsExactly("another's");
    }

    // ---- priorities, §3.4.10

    @Test
    void shouldDeliverHigherPrioritiesFirstAndInOrderWithinEach() {
        client.consume(1, queue);
        send(
                queue,
                message("4a"),
                message("0").priority(0),
                message("9a").priority(9),
                message("4b"),
                message("9b").priority(9));
        assertThat(client.texts(1, 10)).containsExactly("9a", "9b", "4a", "4b", "0");
    }

    @Test
    void shouldDeliverByPriorityAfterARestartAndACrashHoweverOftenPrioritiesChanged() {
        List<String> urgent = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            boolean isUrgent = i % 3 == 0;
            (isUrgent ? urgent : others).add("m" + i);
            send(queue, message("m" + i).priority(isUrgent ? 9 : 4));
            if (i == 45) {
                broker.restart();
                client = broker.connect();
            }
        }
        broker.crash();
        client = broker.connect();
        client.consume(1, queue);
        assertThat(client.texts(1, 20)).isEqualTo(urgent);
        assertThat(client.texts(1, 60)).isEqualTo(others);
    }

    @Test
    void shouldDeliverWhatCameBackInItsPlace() {
        long queueId = client.consume(1, queue);
        send(queue, message("4a"), message("4b"), message("9").priority(9));
        assertThat(client.texts(1, 2)).containsExactly("9", "4a");
        client.release(queueId, 0, 0, false);
        client.release(queueId, 2, 2, true);
        assertThat(client.texts(1, 10)).containsExactly("9", "4a", "4b");
    }

    // ---- message groups, §3.5.9

    @Test
    void shouldGiveAMessageGroupToOneConsumerUntilItCloses() {
        client.consume(1, queue);
        client.consume(2, queue);
        for (int i = 0; i < 4; i++) {
            send(queue, message("a" + i).group("a"), message("b" + i).group("b"));
        }
        assertThat(client.texts(1, 1)).containsExactly("a0");
        assertThat(client.texts(2, 10)).containsExactly("b0", "b1", "b2", "b3");
        assertThat(client.texts(1, 10)).containsExactly("a1", "a2", "a3");
        send(queue, message("a4").group("a"));
        assertThat(client.texts(2, 10)).isEmpty();
        client.closeConsumer(1);
        assertThat(client.texts(2, 10)).containsExactly("a4");
    }

    @Test
    void shouldDeliverWhatBelongsToNoGroupToAnybody() {
        client.consume(1, queue);
        client.consume(2, queue);
        send(queue, message("a0").group("a"), message("x"), message("a1").group("a"));
        assertThat(client.texts(1, 1)).containsExactly("a0");
        assertThat(client.texts(2, 10)).containsExactly("x");
        assertThat(client.texts(1, 10)).containsExactly("a1");
    }

    // ---- browsing, §4.1.6

    private List<String> browse(String selector, int maxMessages) {
        List<String> texts = new ArrayList<>();
        long position = 0;
        while (position >= 0) {
            long from = position;
            int opaque =
                    client.submit(
                            o ->
                                    new Command.Browse(
                                            queue, 0, from, maxMessages, 1 << 20, selector, o));
            client.received(opaque).forEach(received -> texts.add(received.text()));
            position = client.link.positions.get(opaque);
        }
        return texts;
    }

    @Test
    void shouldShowWhatAQueueHoldsInTheOrderOfDelivery() {
        send(queue, message("1"), message("2").priority(9), message("3"), message("4").priority(9));
        assertThat(browse("", 100)).containsExactly("2", "4", "1", "3");
        assertThat(browse("", 1)).containsExactly("2", "4", "1", "3");
        assertThat(browse("JMSPriority = 4", 1)).containsExactly("1", "3");
    }

    @Test
    void shouldShowWhatIsHeldButNotWhatIsAcknowledged() {
        long queueId = client.consume(1, queue);
        send(queue, message("1"), message("2"), message("3"));
        client.receive(1, 2);
        client.acknowledge(queueId, 0, 0);
        assertThat(browse("", 10)).containsExactly("2", "3");
        assertThat(client.texts(1, 10)).containsExactly("3");
        assertThat(browse("", 10)).containsExactly("2", "3");
    }

    @Test
    void shouldNotShowWhatExpired() {
        send(queue, message("1").expires(broker.wallMs() + 10), message("2"));
        broker.advance(10);
        assertThat(browse("", 10)).containsExactly("2");
    }
}
