package org.metaq.broker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Redelivery;
import org.metaq.broker.state.Subscription;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.RedeliveryPolicy;

/**
 * What becomes of messages that come back: which wait and for how long, and which are dead letters.
 * Confined to the writer thread.
 */
final class Redeliveries {
    private final BrokerContext context;
    private final DeadLetters deadLetters;
    private final PriorityQueue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Waiting::dueMs));

    private record Waiting(long dueMs, Cursor cursor, long sequence) {}

    /** Who hears of messages that begin and cease to wait. */
    interface Listener {
        /** A message waits from now on. */
        void waits(Cursor cursor, long sequence);

        /** A message can be delivered again. */
        void wakes(Cursor cursor, long sequence, boolean wasStrict);
    }

    /**
     * Why messages come back.
     *
     * @param options of the consumers that had them, by subscription
     * @param reason what the application said; empty: not known
     */
    record Cause(Map<Subscription, Map<String, String>> options, String reason) {
        static final Cause UNKNOWN = new Cause(Map.of(), "");
    }

    Redeliveries(BrokerContext context) {
        this.context = context;
        this.deadLetters = new DeadLetters(context);
    }

    DeadLetters deadLetters() {
        return deadLetters;
    }

    private RedeliveryPolicy policy(Subscription subscription, Cause cause) {
        RedeliveryPolicy policy = context.catalog.of(subscription.topic().text()).redelivery();
        Map<String, String> options = cause.options().get(subscription);
        return options == null ? policy : policy.with(options);
    }

    /**
     * What the record says that releases these messages of durable subscriptions; records that must
     * precede it are in the batch when this returns.
     */
    Redelivery ofDurable(Holdings released, Cause cause) {
        List<Redelivery.Delay> delays = new ArrayList<>();
        List<Redelivery.DeadLetter> dead = new ArrayList<>();
        released.forEachDurable(
                (cursor, range) -> {
                    RedeliveryPolicy policy = policy(cursor.subscription(), cause);
                    forEachPlanned(
                            cursor,
                            range,
                            policy,
                            (sequence, deliveries) ->
                                    dead.add(
                                            deadLetters.exhausted(
                                                    cursor, sequence, deliveries, policy, cause)),
                            (sequence, dueMs) ->
                                    delays.add(
                                            new Redelivery.Delay(
                                                    cursor.subscription().id(),
                                                    cursor.partition().number(),
                                                    sequence,
                                                    dueMs,
                                                    policy.strictOrder())));
                });
        return dead.isEmpty() && delays.isEmpty() ? Redelivery.NONE : new Redelivery(delays, dead);
    }

    /** Releases messages of subscriptions that no record knows; {@code to} gets them back. */
    void releaseVolatile(Holdings released, Cause cause, Listener listener) {
        List<Redelivery.DeadLetter> dead = new ArrayList<>();
        released.forEachVolatile(
                (cursor, range) -> {
                    RedeliveryPolicy policy = policy(cursor.subscription(), cause);
                    forEachPlanned(
                            cursor,
                            range,
                            policy,
                            (sequence, deliveries) -> {
                                dead.add(
                                        deadLetters.exhausted(
                                                cursor, sequence, deliveries, policy, cause));
                                cursor.acknowledge(new SequenceRange(sequence, sequence));
                            },
                            (sequence, dueMs) -> {
                                cursor.delay(sequence, new Cursor.Due(dueMs, policy.strictOrder()));
                                listener.waits(cursor, sequence);
                            });
                    cursor.releaseDelivered(range);
                    context.ready.add(cursor.partition().topic());
                });
        deadLetters.move(dead);
    }

    private interface Planned {
        /** A message, and how often it was delivered or until when it waits. */
        void accept(long sequence, long value);
    }

    private void forEachPlanned(
            Cursor cursor,
            SequenceRange range,
            RedeliveryPolicy policy,
            Planned exhausted,
            Planned delayed) {
        if (policy.maxDeliveries() == 0 && policy.delayMs() == 0) {
            return;
        }
        boolean hasLimit = !deadLetters.isTarget(cursor.partition().topic(), policy);
        long nowMs = context.clock.wallMs();
        long first = Math.max(range.first(), cursor.lowest());
        for (long sequence = first; sequence <= range.last(); sequence++) {
            int deliveries = cursor.knownDeliveries(sequence) + 1;
            if (hasLimit && policy.isExhausted(deliveries)) {
                exhausted.accept(sequence, deliveries);
            } else if (policy.delayMs() > 0) {
                delayed.accept(sequence, nowMs + policy.delayMs(deliveries));
            }
        }
    }

    // ---- time

    /** A message waits from now on; {@link #wake} tells when no more. */
    void add(Cursor cursor, long sequence) {
        Cursor.Due due = cursor.dues().get(sequence);
        if (due != null) {
            waiting.add(new Waiting(due.ms(), cursor, sequence));
        }
    }

    /** A subscription is gone, and nobody waits for what waits in it. */
    void removed(Subscription subscription) {
        waiting.removeIf(each -> each.cursor().subscription() == subscription);
    }

    /** Monotonic time at which {@link #wake} has something to do; {@code Long.MAX_VALUE}: never. */
    long nextDeadlineNs() {
        Waiting first = waiting.peek();
        if (first == null) {
            return Long.MAX_VALUE;
        }
        long leftMs = Math.max(0, first.dueMs() - context.clock.wallMs());
        return context.clock.monotonicNs() + leftMs * 1_000_000L;
    }

    /** Has messages delivered again whose time has come. */
    void wake(Listener listener) {
        long nowMs = context.clock.wallMs();
        for (Waiting first = waiting.peek();
                first != null && first.dueMs() <= nowMs;
                first = waiting.peek()) {
            waiting.poll();
            Cursor cursor = first.cursor();
            Cursor.Due due = cursor.dues().get(first.sequence());
            if (due != null && cursor.wake(first.sequence(), first.dueMs())) {
                listener.wakes(cursor, first.sequence(), due.isStrict());
            }
        }
    }
}
