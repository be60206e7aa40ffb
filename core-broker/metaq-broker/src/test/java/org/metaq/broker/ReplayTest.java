package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** Subscriptions that start elsewhere than at the end, or are moved. */
class ReplayTest {
    @TempDir Path root;

    private TestBroker broker;
    private TestBroker.Client client;
    private String topic;

    @BeforeEach
    void start() {
        BrokerConfig d = BrokerConfig.defaults(0);
        BrokerConfig smallSegments =
                new BrokerConfig(
                        d.brokerId(),
                        d.topics(),
                        d.autoCreate(),
                        d.maxMessageSizeBytes(),
                        d.maxTransactionSizeBytes(),
                        d.transactionMemoryBytes(),
                        d.transactionTimeoutMs(),
                        d.outcomeRetentionMs(),
                        d.outcomeCountMax(),
                        d.checkpointBytes(),
                        d.checkpointIntervalMs(),
                        100,
                        d.maxTransferSizeBytes(),
                        d.movesBeyondEnd(),
                        d.minFreeBytes());
        broker = new TestBroker(root, smallSegments);
        client = broker.connect("me");
        topic = client.topic("t");
    }

    private static SubscribeOptions from(StartPosition position) {
        return new SubscribeOptions(position, true, Map.of());
    }

    private static SubscribeOptions startFrom(StartPosition position) {
        return new SubscribeOptions(position, false, Map.of());
    }

    private List<String> read(StartPosition position) {
        client.subscribe(7, topic, "", false, false, "", from(position));
        List<String> texts = client.texts(7, 1000);
        client.closeConsumer(7);
        return texts;
    }

    @Test
    void shouldStartExactlyAtATimeOverBatchesAndSegments() {
        List<Long> times = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        for (int batch = 0; batch < 12; batch++) {
            times.add(broker.wallMs());
            for (int i = 0; i < 3; i++) {
                client.submitOnly(client.sendOf(topic, batch + "-" + i, null, 0, 0));
                sent.add(batch + "-" + i);
            }
            broker.broker.doWork();
            broker.advance(10);
        }
        for (int batch = 0; batch < 12; batch++) {
            List<String> expected = sent.subList(3 * batch, sent.size());
            assertThat(read(StartPosition.time(times.get(batch)))).isEqualTo(expected);
            assertThat(read(StartPosition.time(times.get(batch) - 9))).isEqualTo(expected);
        }
        assertThat(read(StartPosition.time(broker.wallMs()))).isEmpty();
        assertThat(read(StartPosition.EARLIEST)).isEqualTo(sent);
        assertThat(read(StartPosition.LATEST)).isEmpty();
    }

    @Test
    void shouldStartExactlyAtEveryOffset() {
        List<Long> offsets = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            offsets.add(Long.parseLong(client.send(topic, "m" + i).split(" ")[2]));
            sent.add("m" + i);
        }
        for (int i = 0; i < 20; i++) {
            List<String> expected = sent.subList(i, sent.size());
            assertThat(read(StartPosition.offset(0, offsets.get(i)))).isEqualTo(expected);
            long inTheMidstOfTheOneBefore = Math.max(0, offsets.get(i) - 1);
            assertThat(read(StartPosition.offset(0, inTheMidstOfTheOneBefore))).isEqualTo(expected);
        }
    }

    @Test
    void shouldMoveADurableSubscriptionBackAndLeaveOthersAlone() {
        long one = client.subscribe(1, topic, "one", true, false);
        long other = client.subscribe(2, topic, "other", true, false);
        client.send(topic, "a");
        client.send(topic, "b");
        client.texts(1, 10);
        client.texts(2, 10);
        client.acknowledge(one, 0, 1);
        client.acknowledge(other, 0, 1);
        client.closeConsumer(1);
        client.closeConsumer(2);
        client.subscribe(1, topic, "one", true, false, "", startFrom(StartPosition.EARLIEST));
        assertThat(client.texts(1, 10)).isEmpty();
        client.closeConsumer(1);
        client.subscribe(1, topic, "one", true, false, "", from(StartPosition.EARLIEST));
        assertThat(client.receive(1, 10))
                .extracting(TestBroker.Received::text, TestBroker.Received::deliveryCount)
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("a", 1),
                        org.assertj.core.api.Assertions.tuple("b", 1));
        client.subscribe(2, topic, "other", true, false);
        assertThat(client.texts(2, 10)).isEmpty();
    }

    @Test
    void shouldNotMoveASharedSubscriptionUnderItsOtherConsumers() {
        for (boolean isDurable : List.of(true, false)) {
            String name = isDurable ? "durable" : "volatile";
            client.subscribe(1, topic, name, isDurable, true);
            assertThat(
                            client.error(
                                    o ->
                                            new Command.Subscribe(
                                                    2,
                                                    topic,
                                                    name,
                                                    isDurable,
                                                    true,
                                                    false,
                                                    "",
                                                    from(StartPosition.EARLIEST),
                                                    o)))
                    .isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
            client.subscribe(
                    2, topic, name, isDurable, true, "", startFrom(StartPosition.EARLIEST));
            client.closeConsumer(1);
            client.closeConsumer(2);
        }
    }

    @Test
    void shouldStartANewDurableSubscriptionWithMessagesFromBeforeIt() {
        client.send(topic, "a");
        client.subscribe(1, topic, "one", true, false, "", startFrom(StartPosition.EARLIEST));
        assertThat(client.texts(1, 10)).containsExactly("a");
        broker.crash();
        client = broker.connect("me");
        client.subscribe(1, topic, "one", true, false, "", startFrom(StartPosition.EARLIEST));
        assertThat(client.texts(1, 10)).containsExactly("a");
    }

    @Test
    void shouldBeMovedByAnOperatorWhileItHasNoConsumer() {
        client.subscribe(1, topic, "one", true, false);
        client.send(topic, "a");
        client.send(topic, "b");
        assertThat(reset("one", "latest")).hasMessageContaining("has open consumers");
        client.closeConsumer(1);
        assertThat(reset("one", "latest")).isNull();
        client.subscribe(1, topic, "one", true, false);
        assertThat(client.texts(1, 10)).isEmpty();
        client.closeConsumer(1);
        assertThat(reset("one", "earliest")).isNull();
        broker.crash();
        client = broker.connect("me");
        client.subscribe(1, topic, "one", true, false);
        assertThat(client.texts(1, 10)).containsExactly("a", "b");
        assertThat(reset("nobody", "earliest")).hasMessageContaining("nobody");
        assertThat(reset("one", "yesterday")).hasMessageContaining("yesterday");
    }

    private Throwable reset(String name, String position) {
        var future = broker.broker.admin().resetSubscription(topic, "me", name, position);
        broker.broker.doWork();
        return future.handle((text, failure) -> failure).join();
    }

    @Test
    void shouldReplayAQueueByAnOperator() {
        String queue = client.queue("q");
        long queueId = client.consume(1, queue);
        client.send(queue, "a");
        client.send(queue, "b");
        client.texts(1, 10);
        client.acknowledge(queueId, 0, 1);
        client.closeConsumer(1);
        var future = broker.broker.admin().resetSubscription(queue, "", "", "earliest");
        broker.broker.doWork();
        assertThat(future).isCompleted();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).containsExactly("a", "b");
        assertThat(
                        client.error(
                                o ->
                                        new Command.Subscribe(
                                                2,
                                                queue,
                                                "",
                                                false,
                                                false,
                                                false,
                                                "",
                                                from(StartPosition.EARLIEST),
                                                o)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void shouldReadTimesAsPeopleWriteThem() {
        assertThat(StartPosition.parse("2026-11-01T00:00:00Z"))
                .isEqualTo(StartPosition.time(1_793_491_200_000L));
        assertThat(StartPosition.parse("2026-11-01T01:00:00+01:00"))
                .isEqualTo(StartPosition.time(1_793_491_200_000L));
        assertThat(StartPosition.parse("offset:7")).isEqualTo(StartPosition.offset(0, 7));
        assertThatThrownBy(() -> StartPosition.parse("2026-11-01"))
                .hasMessageContaining("2026-11-01T00:00:00Z");
    }
}
