package org.metaq.broker.state;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.common.SequenceRange;

/** Sequences that can be handed out, by priority. Confined to the writer thread. */
final class Available {
    static final int PRIORITY_MAX = 9;

    /** Behind every place in the order of delivery. */
    static final long NOWHERE = Long.MAX_VALUE;

    private static final int PLACE_SHIFT = 56;

    /** By priority; made when the first message of a priority comes. */
    private final @Nullable SequenceSet[] byPriority = new SequenceSet[PRIORITY_MAX + 1];

    /** Where a message stands in the order of delivery. */
    static long place(int priority, long sequence) {
        return (long) (PRIORITY_MAX - priority) << PLACE_SHIFT | sequence;
    }

    static int priority(long place) {
        return PRIORITY_MAX - (int) (place >>> PLACE_SHIFT);
    }

    static long sequence(long place) {
        return place & (1L << PLACE_SHIFT) - 1;
    }

    long count() {
        long count = 0;
        for (SequenceSet set : byPriority) {
            count += set == null ? 0 : set.count();
        }
        return count;
    }

    boolean contains(long sequence) {
        for (SequenceSet set : byPriority) {
            if (set != null && set.contains(sequence)) {
                return true;
            }
        }
        return false;
    }

    boolean contains(int priority, long sequence) {
        SequenceSet set = byPriority[priority];
        return set != null && set.contains(sequence);
    }

    void add(int priority, long first, long last) {
        SequenceSet set = byPriority[priority];
        if (set == null) {
            set = new SequenceSet();
            byPriority[priority] = set;
        }
        set.add(first, last);
    }

    void remove(long first, long last) {
        for (SequenceSet set : byPriority) {
            if (set != null && !set.isEmpty()) {
                set.remove(first, last);
            }
        }
    }

    void clear() {
        for (SequenceSet set : byPriority) {
            if (set != null) {
                set.clear();
            }
        }
    }

    /** The next to hand out: of the highest priority the lowest sequence; -1 if there is none. */
    long first() {
        for (int priority = PRIORITY_MAX; priority >= 0; priority--) {
            SequenceSet set = byPriority[priority];
            if (set != null && !set.isEmpty()) {
                return set.first();
            }
        }
        return -1;
    }

    /** Place of the first that the scan has not passed; {@link #NOWHERE} if there is none. */
    long first(Scan scan) {
        for (int priority = PRIORITY_MAX; priority >= 0; priority--) {
            SequenceSet set = byPriority[priority];
            long sequence = set == null || set.isEmpty() ? -1 : set.next(scan.position(priority));
            if (sequence >= 0) {
                return place(priority, sequence);
            }
        }
        return NOWHERE;
    }

    long lastOfRun(int priority, long sequence) {
        SequenceSet set = byPriority[priority];
        return set == null ? sequence : set.lastOfRangeOf(sequence);
    }

    /** Last of the unbroken run of the same priority that begins with this one, which is there. */
    long lastOfRun(long sequence) {
        for (SequenceSet set : byPriority) {
            if (set != null && set.contains(sequence)) {
                return set.lastOfRangeOf(sequence);
            }
        }
        throw new IllegalArgumentException("sequence " + sequence + " is not available");
    }

    /** Runs in the order in which they are handed out, until they hold so many. */
    void forEachRun(long max, Consumer<SequenceRange> consumer) {
        long left = max;
        for (int priority = PRIORITY_MAX; priority >= 0 && left > 0; priority--) {
            SequenceSet set = byPriority[priority];
            long first = set == null || set.isEmpty() ? -1 : set.first();
            while (set != null && first >= 0 && left > 0) {
                long last = Math.min(set.lastOfRangeOf(first), first + left - 1);
                consumer.accept(new SequenceRange(first, last));
                left -= last - first + 1;
                first = set.next(last + 1);
            }
        }
    }
}
