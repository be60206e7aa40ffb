package org.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;

@Timeout(30)
class PullConsumerTest {
    private static final int CONSUMER = 3;
    private static final long SUBSCRIPTION = 77;
    private static final byte[] NOTHING = {};

    private final BlockingQueue<Boolean> available = new LinkedBlockingQueue<>();
    private ScriptedBroker broker;
    private ClientConnection connection;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        broker.expectOpen();
        connection =
                ClientConnection.connect(
                        ClientOptions.builder(List.of(broker.address()))
                                .callTimeoutMs(5_000)
                                .build());
    }

    @AfterEach
    void verifyScript() throws Exception {
        connection.close();
        broker.close();
        broker.verify();
    }

    private PullConsumer consumer(int prefetch) {
        return new PullConsumer(
                connection,
                CONSUMER,
                SUBSCRIPTION,
                prefetch,
                () -> available.add(connection.isReaderThread()));
    }

    private ScriptedBroker.Step<Command.Acquire> expectAcquire(int maxMessages) {
        return broker.expect(Command.Acquire.class)
                .matching(
                        acquire -> {
                            assertThat(acquire.consumerId()).isEqualTo(CONSUMER);
                            assertThat(acquire.maxMessages()).isEqualTo(maxMessages);
                        });
    }

    private static void assertSequence(Delivery delivery, long sequence) {
        assertThat(delivery).isNotNull();
        assertThat(delivery.sequence()).isEqualTo(sequence);
    }

    @Test
    void shouldAskAgainWhenTheBufferIsDownToHalf() throws Exception {
        expectAcquire(4).thenValue(ScriptedBroker.deliveries(0, 0, 4));
        PullConsumer consumer = consumer(4);
        consumer.start();
        assertThat(available.poll(5, TimeUnit.SECONDS)).as("told on the reader thread").isTrue();
        assertSequence(consumer.poll(), 0);
        // The script expects nothing here: an acquire now would be a failure.
        connection.call(new Command.Version(connection.nextOpaque()));
        var second = expectAcquire(2);
        assertSequence(consumer.poll(), 1);
        second.await();
        assertSequence(consumer.poll(), 2);
        assertSequence(consumer.poll(), 3);
        assertThat(consumer.poll()).isNull();
        second.replyValue(ScriptedBroker.deliveries(0, 4, 1));
        assertSequence(consumer.poll(5_000), 4);
        // They come one by one now: the next acquire waits until the consumer asks.
        connection.call(new Command.Version(connection.nextOpaque()));
        var third = expectAcquire(4);
        consumer.ask();
        third.await();
        assertThat(available.poll(5, TimeUnit.SECONDS)).isTrue();
        assertThat(available).isEmpty();
    }

    @Test
    void shouldAskAgainWhenALongPollBroughtNothing() throws Exception {
        expectAcquire(8)
                .matching(acquire -> assertThat(acquire.waitMs()).isPositive())
                .thenValue(NOTHING);
        expectAcquire(8).thenValue(ScriptedBroker.deliveries(2, 5, 1));
        PullConsumer consumer = consumer(8);
        consumer.start();
        Delivery delivery = consumer.poll(5_000);
        var last = expectAcquire(8);
        assertThat(consumer.poll()).isNull();
        last.await();
        assertSequence(delivery, 5);
        assertThat(delivery.partition()).isEqualTo(2);
    }

    @Test
    void shouldFindWithPollNowWhatCompletedTheLongPollBeforeTheRoundTrip() throws Exception {
        var pending = expectAcquire(4);
        PullConsumer consumer = consumer(4);
        consumer.start();
        Command.Acquire acquire = pending.await();
        // The message came after the long poll began and before the query: its reply goes first.
        broker.expect(Command.Version.class)
                .then(
                        (query, peer) ->
                                peer.write(
                                        ScriptedBroker.valueFrame(
                                                acquire.opaque(),
                                                ScriptedBroker.deliveries(0, 9, 1))))
                .thenOk("1");
        assertSequence(consumer.pollNow(), 9);
    }

    @Test
    void shouldReturnNullFromPollNowAfterOneRoundTripWhenTheLongPollStaysOpen() throws Exception {
        var pending = expectAcquire(4);
        PullConsumer consumer = consumer(4);
        consumer.start();
        pending.await();
        for (int i = 0; i < 3; i++) {
            broker.expect(Command.Version.class).thenOk("1");
            assertThat(consumer.pollNow()).isNull();
        }
    }

    @Test
    void shouldAskForOneWithoutWaitingWhenPollNowFindsNoAcquireOpen() throws Exception {
        PullConsumer consumer = consumer(0);
        consumer.start();
        expectAcquire(1)
                .matching(acquire -> assertThat(acquire.waitMs()).isZero())
                .thenValue(NOTHING);
        assertThat(consumer.pollNow()).isNull();
        expectAcquire(1).thenValue(ScriptedBroker.deliveries(0, 1, 1));
        assertSequence(consumer.pollNow(), 1);
    }

    @Test
    void shouldAskOnlyWhileSomebodyWaitsWhenPrefetchIsZero() throws Exception {
        PullConsumer consumer = consumer(0);
        consumer.start();
        assertThat(consumer.poll()).isNull();
        expectAcquire(1)
                .matching(acquire -> assertThat(acquire.waitMs()).isBetween(1, 200))
                .thenValue(NOTHING);
        broker.always(Command.Acquire.class).thenValue(NOTHING);
        assertThat(consumer.poll(150)).isNull();
        expectAcquire(1).thenValue(ScriptedBroker.deliveries(0, 1, 1));
        assertSequence(consumer.poll(5_000), 1);
    }

    @Test
    void shouldHoldAtMostOneMessageWhenPrefetchIsOne() throws Exception {
        expectAcquire(1).thenValue(ScriptedBroker.deliveries(0, 1, 1));
        PullConsumer consumer = consumer(1);
        consumer.start();
        assertThat(available.poll(5, TimeUnit.SECONDS)).isTrue();
        var second = expectAcquire(1);
        assertThat(second.isMet()).isFalse();
        assertSequence(consumer.poll(), 1);
        second.await();
    }

    @Test
    void shouldKeepAskingForARequestUntilAMessageComes() throws Exception {
        PullConsumer consumer = consumer(0);
        consumer.start();
        expectAcquire(1).thenValue(NOTHING);
        expectAcquire(1).thenValue(ScriptedBroker.deliveries(0, 1, 1));
        consumer.request();
        assertThat(available.poll(5, TimeUnit.SECONDS)).isTrue();
        assertSequence(consumer.poll(), 1);
    }

    @Test
    void shouldReleaseUndeliveredWhatComesAfterTheClose() throws Exception {
        var pending = expectAcquire(4);
        PullConsumer consumer = consumer(4);
        consumer.start();
        pending.await();
        consumer.close();
        assertThat(consumer.drain()).isEmpty();
        var release =
                broker.expect(Command.Release.class)
                        .matching(
                                r -> {
                                    assertThat(r.delivered()).isFalse();
                                    assertThat(r.settlement())
                                            .isEqualTo(settlement(0, new SequenceRange(3, 5)));
                                })
                        .thenOk("");
        pending.replyValue(ScriptedBroker.deliveries(0, 3, 3));
        release.await();
        assertThat(consumer.poll()).isNull();
    }

    @Test
    void shouldReleaseUndeliveredWhatComesWhilePausedAndGoOnAfterwards() throws Exception {
        var pending = expectAcquire(4);
        PullConsumer consumer = consumer(4);
        consumer.start();
        pending.await();
        consumer.pause();
        var release =
                broker.expect(Command.Release.class)
                        .matching(r -> assertThat(r.delivered()).isFalse())
                        .thenOk("");
        pending.replyValue(ScriptedBroker.deliveries(0, 3, 3));
        release.await();
        assertThat(consumer.poll()).isNull();
        assertThat(consumer.drain()).isEmpty();
        assertThat(available).isEmpty();
        expectAcquire(4).thenValue(ScriptedBroker.deliveries(0, 3, 1));
        consumer.start();
        assertSequence(consumer.poll(5_000), 3);
    }

    private static Settlement settlement(int partition, SequenceRange range) {
        return new Settlement(
                List.of(new Settlement.Entry(SUBSCRIPTION, partition, List.of(range))));
    }

    @Test
    void shouldHandOverWhatIsBufferedWhenClosed() throws Exception {
        expectAcquire(4).thenValue(ScriptedBroker.deliveries(0, 0, 3));
        PullConsumer consumer = consumer(4);
        consumer.start();
        assertThat(available.poll(5, TimeUnit.SECONDS)).isTrue();
        consumer.close();
        assertThat(consumer.poll()).isNull();
        assertThat(consumer.drain()).extracting(Delivery::sequence).containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldWakeAWaiterWhenClosed() throws Exception {
        var pending = expectAcquire(4);
        PullConsumer consumer = consumer(4);
        consumer.start();
        pending.await();
        CompletableFuture<Boolean> gotNull = new CompletableFuture<>();
        Thread waiter = new Thread(() -> gotNull.complete(consumer.poll(Long.MAX_VALUE) == null));
        waiter.start();
        await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        consumer.close();
        assertThat(gotNull.get(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldKeepTheInterruptFlagWhenAWaiterIsInterrupted() throws Exception {
        var pending = expectAcquire(4);
        PullConsumer consumer = consumer(4);
        consumer.start();
        pending.await();
        Thread.currentThread().interrupt();
        assertThat(consumer.poll(5_000)).isNull();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void shouldHandNothingOutWhileStopped() throws Exception {
        var pending = expectAcquire(4);
        PullConsumer consumer = consumer(4);
        consumer.start();
        pending.await();
        consumer.stop();
        pending.replyValue(ScriptedBroker.deliveries(0, 0, 1));
        connection.call(new Command.Version(connection.nextOpaque()));
        assertThat(consumer.poll(20)).isNull();
        assertThat(consumer.pollNow()).isNull();
        assertThat(available).isEmpty();
        consumer.start();
        assertThat(available.poll()).as("told by start itself").isFalse();
        assertSequence(consumer.poll(), 0);
        var next = expectAcquire(4);
        consumer.ask();
        next.await();
    }

    @Test
    void shouldFailAndDropItsBufferWhenTheConnectionIsLost() throws Exception {
        var first = expectAcquire(2);
        var second = expectAcquire(1);
        PullConsumer consumer = consumer(2);
        BlockingQueue<ClientException> failures = new LinkedBlockingQueue<>();
        consumer.onFailure(failures::add);
        consumer.start();
        first.replyValue(ScriptedBroker.deliveries(0, 0, 2));
        assertSequence(consumer.poll(5_000), 0);
        second.hangUp();
        ClientException failure = failures.poll(5, TimeUnit.SECONDS);
        assertThat(failure).isNotNull();
        assertThat(failure.isConnectionLost()).isTrue();
        assertThat(consumer.failure()).isSameAs(failure);
        assertThat(consumer.poll(5_000)).isNull();
        assertThat(consumer.pollNow()).isNull();
        assertThat(consumer.drain()).isEmpty();
    }

    @Test
    void shouldTryAgainAfterAWhileWhenTheBrokerIsBusy() throws Exception {
        expectAcquire(2).thenError(ErrorCode.BUSY, "queue full");
        expectAcquire(2).thenValue(ScriptedBroker.deliveries(0, 0, 2));
        PullConsumer consumer = consumer(2);
        consumer.start();
        broker.always(Command.Acquire.class);
        assertSequence(consumer.poll(5_000), 0);
        assertThat(consumer.failure()).isNull();
    }

    @Test
    void shouldFailWhenTheBrokerRefusesAnAcquire() throws Exception {
        expectAcquire(2).thenError(ErrorCode.NO_SUCH_CONSUMER, "3");
        PullConsumer consumer = consumer(2);
        consumer.start();
        assertThat(consumer.poll(5_000)).isNull();
        assertThat(consumer.failure()).isNotNull();
        assertThat(consumer.failure().code()).isEqualTo(ErrorCode.NO_SUCH_CONSUMER);
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void shouldLoseTheConnectionWhenDeliveriesAreCutShort() throws Exception {
        expectAcquire(2).thenValue(new byte[] {1, 2, 3});
        PullConsumer consumer = consumer(2);
        consumer.start();
        assertThat(consumer.poll(5_000)).isNull();
        assertThat(consumer.failure()).hasMessageContaining("cut short");
        await().until(() -> !connection.isOpen());
    }

    @Test
    void shouldRefuseAPrefetchOutOfRange() {
        assertThatThrownBy(() -> consumer(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> consumer(10_001)).isInstanceOf(IllegalArgumentException.class);
    }
}
