package org.metaq.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.Settlement;

/**
 * Collects messages to settle in any order and builds the {@link Settlement} with the fewest
 * ranges. Adding is a store into an array; a message in sequence after the last one of its
 * partition makes its range longer. Confined to its user.
 */
public final class SettlementBuilder {
    private final List<Run> runs = new ArrayList<>();
    private int count;

    /** Sequences of one subscription and partition, as pairs of first and last. */
    private static final class Run {
        final long subscriptionId;
        final int partition;
        long[] bounds = new long[8];
        int length;

        Run(long subscriptionId, int partition) {
            this.subscriptionId = subscriptionId;
            this.partition = partition;
        }

        void add(long sequence) {
            if (length > 0 && bounds[length - 1] + 1 == sequence) {
                bounds[length - 1] = sequence;
                return;
            }
            if (length == bounds.length) {
                bounds = Arrays.copyOf(bounds, length * 2);
            }
            bounds[length++] = sequence;
            bounds[length++] = sequence;
        }

        Settlement.Entry toEntry() {
            SequenceRange[] parts = new SequenceRange[length / 2];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = new SequenceRange(bounds[2 * i], bounds[2 * i + 1]);
            }
            Arrays.sort(parts, (a, b) -> Long.compare(a.first(), b.first()));
            List<SequenceRange> merged = new ArrayList<>(parts.length);
            SequenceRange open = parts[0];
            for (int i = 1; i < parts.length; i++) {
                SequenceRange next = parts[i];
                if (next.first() <= open.last() + 1) {
                    open = new SequenceRange(open.first(), Math.max(open.last(), next.last()));
                } else {
                    merged.add(open);
                    open = next;
                }
            }
            merged.add(open);
            return new Settlement.Entry(subscriptionId, partition, merged);
        }
    }

    /**
     * Adds one message; one that is in already is built once.
     *
     * @param subscriptionId as {@code subscribe} answered it
     * @param partition &gt;= 0
     * @param sequence &gt;= 0
     */
    public SettlementBuilder add(long subscriptionId, int partition, long sequence) {
        run(subscriptionId, partition).add(sequence);
        count++;
        return this;
    }

    /** Adds a delivery of this subscription. */
    public SettlementBuilder add(long subscriptionId, Delivery delivery) {
        return add(subscriptionId, delivery.partition(), delivery.sequence());
    }

    /** Adds deliveries of this subscription. */
    public SettlementBuilder addAll(long subscriptionId, Iterable<Delivery> deliveries) {
        for (Delivery delivery : deliveries) {
            add(subscriptionId, delivery);
        }
        return this;
    }

    private Run run(long subscriptionId, int partition) {
        // Few subscriptions and partitions per session, the last used most likely the next.
        for (int i = runs.size() - 1; i >= 0; i--) {
            Run run = runs.get(i);
            if (run.subscriptionId == subscriptionId && run.partition == partition) {
                return run;
            }
        }
        Run run = new Run(subscriptionId, partition);
        runs.add(run);
        return run;
    }

    /** How many times a message was added since the last {@link #clear}. */
    public int count() {
        return count;
    }

    /** True if nothing was added since the last {@link #clear}. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** What was added, the fewest ranges per subscription and partition; keeps it. */
    public Settlement build() {
        if (runs.isEmpty()) {
            return Settlement.NONE;
        }
        List<Settlement.Entry> entries = new ArrayList<>(runs.size());
        for (Run run : runs) {
            entries.add(run.toEntry());
        }
        return new Settlement(entries);
    }

    /** Forgets what was added. */
    public void clear() {
        runs.clear();
        count = 0;
    }
}
