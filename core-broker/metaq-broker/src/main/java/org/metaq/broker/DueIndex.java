package org.metaq.broker;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.WaitingMessages;

/**
 * Knows which waiting message is due next, with memory that does not grow with what waits: the
 * <i>window</i> holds the nearest ones in order, up to the <i>horizon</i>; of all others it knows
 * for each block of 256 sequences a time before which none in it is due.
 *
 * <p>When the window is half empty, the next ones are collected: block by block, a few in each
 * turn, while the window goes on serving. Blocks that hold nothing near are passed over, so that
 * this costs little where messages fall due about as they came. At its worst, with delivery times
 * at random, each collection reads every entry of the index: for a million of them some 0.1 s of
 * processor time in all, once for each 8,192 that fall due. At a start everything is read once,
 * some 0.3 s for a million.
 *
 * <p>Memory: some 100 bytes for each message in the window, 16 bytes for each block. Derived from
 * what waits, so it is no part of the state. Confined to the writer thread.
 */
final class DueIndex {
    private static final int SCANNED_BLOCK_COST = 16;

    /** Place of a message in the order of delivery. */
    record Key(long timeMs, long arrival) implements Comparable<Key> {
        static final Key MAX = new Key(Long.MAX_VALUE, Long.MAX_VALUE);

        @Override
        public int compareTo(Key other) {
            int byTime = Long.compare(timeMs, other.timeMs);
            return byTime != 0 ? byTime : Long.compare(arrival, other.arrival);
        }

        boolean isAbove(long otherTimeMs, long otherArrival) {
            return timeMs > otherTimeMs || (timeMs == otherTimeMs && arrival > otherArrival);
        }
    }

    /** Messages in order, up to one place. */
    private static final class Window {
        private final TreeMap<Key, Long> sequences = new TreeMap<>();

        /** Every message below this is in it, none at or above. */
        private Key horizon = Key.MAX;
    }

    private final WaitingMessages messages;
    private final IntSupplier windowMax;
    private final BlockMinima minima = new BlockMinima();
    private final Window window = new Window();

    /** Sequences below it were seen: they are in the window or in the minima. */
    private long seenEnd;

    /** What comes behind the window, while it is collected. */
    private @Nullable Window next;

    private long collectedEnd;

    /**
     * Of everything that waits; {@link #advance} reads it.
     *
     * @param windowMax messages that the window may hold now, &gt;= 2; half as many more for a
     *     while
     */
    DueIndex(WaitingMessages messages, IntSupplier windowMax) {
        this.messages = messages;
        this.windowMax = windowMax;
        this.seenEnd = messages.firstPending();
    }

    // ---- what is next

    /** False while it has to {@link #advance} before it knows what is next. */
    boolean isReady() {
        return seenEnd == messages.endSequence()
                && (!window.sequences.isEmpty() || window.horizon.equals(Key.MAX));
    }

    /** True if {@link #advance} has something to do. */
    boolean hasWork() {
        return seenEnd < messages.endSequence() || next != null || isLow();
    }

    /** Earliest delivery time, ms since 1970; the greatest value if nothing waits. Ready only. */
    long nextMs() {
        return window.sequences.isEmpty() ? Long.MAX_VALUE : window.sequences.firstKey().timeMs();
    }

    /** Who takes messages. */
    interface Taker {
        /** False if it has enough: this one is not taken. */
        boolean take(long sequence);
    }

    /** Offers messages that are due, in order; they stay until {@link #forgetMoved}. Ready only. */
    void due(long nowMs, Taker taker) {
        for (Map.Entry<Key, Long> each : window.sequences.entrySet()) {
            if (each.getKey().timeMs() > nowMs || !taker.take(each.getValue())) {
                return;
            }
        }
    }

    /** Forgets the first ones, as far as they do not wait any more. */
    void forgetMoved() {
        Map.Entry<Key, Long> first = window.sequences.firstEntry();
        while (first != null && !messages.isPending(first.getValue())) {
            window.sequences.pollFirstEntry();
            first = window.sequences.firstEntry();
        }
    }

    // ---- reading

    /**
     * Takes notice of messages that came, and collects those behind the window when it is low.
     *
     * @param cost how much to do at most: 1 for a block that is passed over, 16 for one that is
     *     read
     */
    void advance(int cost) {
        minima.forgetBelow(messages.firstPending());
        int left = cost;
        while (left > 0 && seenEnd < messages.endSequence()) {
            long end = Math.min(BlockMinima.endOfBlock(seenEnd), messages.endSequence());
            messages.forEachPending(seenEnd, end, this::see);
            seenEnd = end;
            left -= SCANNED_BLOCK_COST;
        }
        if (next == null && isLow()) {
            next = new Window();
            collectedEnd = messages.firstPending();
        }
        if (next != null) {
            collect(next, left);
        }
    }

    private boolean isLow() {
        return !window.horizon.equals(Key.MAX)
                && window.sequences.size() <= windowMax.getAsInt() / 2;
    }

    /** One that came, perhaps again with another sequence. */
    private void see(long sequence, long timeMs, long arrival) {
        if (!window.horizon.isAbove(timeMs, arrival)) {
            minima.lower(sequence, timeMs, arrival);
            return;
        }
        window.sequences.put(new Key(timeMs, arrival), sequence);
        if (window.sequences.size() > windowMax.getAsInt() + windowMax.getAsInt() / 2) {
            Map.Entry<Key, Long> last = window.sequences.pollLastEntry();
            window.horizon = last.getKey();
            putOff(last);
            if (next != null) {
                offer(next, last.getKey(), last.getValue());
            }
        }
    }

    private void putOff(Map.Entry<Key, Long> entry) {
        minima.lower(entry.getValue(), entry.getKey().timeMs(), entry.getKey().arrival());
    }

    private void collect(Window to, int cost) {
        int left = cost;
        collectedEnd = Math.max(collectedEnd, messages.firstPending());
        while (left > 0 && collectedEnd < seenEnd) {
            long end = Math.min(BlockMinima.endOfBlock(collectedEnd), seenEnd);
            if (minima.isBelow(collectedEnd, to.horizon)) {
                minima.reset(collectedEnd);
                messages.forEachPending(collectedEnd, end, this::collect);
                left -= SCANNED_BLOCK_COST;
            } else {
                left--;
            }
            collectedEnd = end;
        }
        if (collectedEnd >= seenEnd) {
            window.sequences.putAll(to.sequences);
            window.horizon = to.horizon;
            next = null;
        }
    }

    private void collect(long sequence, long timeMs, long arrival) {
        Window to = next;
        if (to == null || window.horizon.isAbove(timeMs, arrival)) {
            return;
        }
        minima.lower(sequence, timeMs, arrival);
        if (to.horizon.isAbove(timeMs, arrival)) {
            offer(to, new Key(timeMs, arrival), sequence);
        }
    }

    /** Those that fall out are in the minima already. */
    private void offer(Window to, Key key, long sequence) {
        to.sequences.put(key, sequence);
        if (to.sequences.size() > windowMax.getAsInt()) {
            to.horizon = to.sequences.pollLastEntry().getKey();
        }
    }
}
