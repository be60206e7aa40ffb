package org.metaq.broker.state;

import java.util.Map;
import java.util.TreeMap;
import org.metaq.common.Invariants;
import org.metaq.common.SequenceRange;

/**
 * A subscription's state on one partition.
 *
 * <p>Records change, checkpoints keep: the <em>cursor</em> (lowest unacknowledged sequence), what
 * is acknowledged above it, what prepared branches hold, the delivered mark, and the known delivery
 * counts.
 *
 * <p>Of this epoch only: the <em>scan</em> (lowest sequence never handed out), what came
 * <em>back</em> below it, and the <em>suspects</em>: messages that a lost connection or an earlier
 * epoch may have delivered. A sequence below the scan that is not back, acknowledged or locked is
 * held by a connection.
 */
public final class Cursor {
    private final Subscription subscription;
    private final Partition partition;

    private long cursor;
    private final SequenceSet acknowledged = new SequenceSet();
    private final SequenceSet locked = new SequenceSet();
    private final TreeMap<Long, Integer> deliveries = new TreeMap<>();
    private long deliveredMark;

    private long scan;
    private final SequenceSet back = new SequenceSet();
    private final SequenceSet suspects = new SequenceSet();

    Cursor(Subscription subscription, Partition partition, long start) {
        this.subscription = subscription;
        this.partition = partition;
        this.cursor = start;
        this.scan = start;
        this.deliveredMark = start;
    }

    /** Whose it is. */
    public Subscription subscription() {
        return subscription;
    }

    /** What it reads. */
    public Partition partition() {
        return partition;
    }

    // ---- changed by records

    /** Lowest sequence that is not acknowledged. */
    public long cursor() {
        return cursor;
    }

    /** Final: these are done with. Repeats are ignored. */
    public void acknowledge(SequenceRange range) {
        long first = Math.max(range.first(), cursor);
        if (first > range.last()) {
            return;
        }
        Invariants.check(
                range.last() < partition.log().endSequence(),
                "only stored messages can be acknowledged",
                this,
                range);
        deliveries.subMap(first, true, range.last(), true).clear();
        back.remove(first, range.last());
        suspects.remove(first, range.last());
        if (first == cursor) {
            cursor = range.last() + 1;
            if (!acknowledged.isEmpty()) {
                acknowledged.remove(0, range.last());
                absorb();
            }
            scan = Math.max(scan, cursor);
            deliveredMark = Math.max(deliveredMark, cursor);
            partition.log().releaseBelow(cursor);
        } else {
            acknowledged.add(first, range.last());
        }
    }

    private void absorb() {
        if (!acknowledged.isEmpty() && acknowledged.first() == cursor) {
            long last = acknowledged.lastOfRangeOf(cursor);
            acknowledged.remove(cursor, last);
            cursor = last + 1;
        }
    }

    /** Messages below {@code start} are gone: nobody gets them any more. */
    void trimmed(long start) {
        if (cursor < start) {
            acknowledge(new SequenceRange(cursor, start - 1));
        }
    }

    /**
     * A prepared branch holds these until its outcome is known. Those below the cursor are done
     * with already: they were trimmed while the branch was open.
     */
    void lock(SequenceRange range) {
        if (range.last() < cursor) {
            return;
        }
        locked.add(Math.max(range.first(), cursor), range.last());
        back.remove(range.first(), range.last());
    }

    /** A prepared branch is over: these are acknowledged, or come back next. */
    void unlock(SequenceRange range) {
        locked.remove(range.first(), range.last());
    }

    /** Lowest sequence that a prepared branch holds; {@code Long.MAX_VALUE} if none does. */
    long lockedMin() {
        return locked.isEmpty() ? Long.MAX_VALUE : locked.first();
    }

    boolean isLocked() {
        return !locked.isEmpty();
    }

    /** Counts one delivery of each and gives them back. */
    public void releaseDelivered(SequenceRange range) {
        for (long s = Math.max(range.first(), cursor); s <= range.last(); s++) {
            if (!acknowledged.contains(s)) {
                deliveries.merge(s, 1, Integer::sum);
                suspects.remove(s, s);
                giveBack(s);
            }
        }
    }

    /** Messages below {@code end} may be handed out from now on. Never moves down. */
    void markDelivered(long end) {
        deliveredMark = Math.max(deliveredMark, Math.min(end, partition.log().endSequence()));
    }

    /** A new epoch: nothing is handed out, what was below the mark is suspect. */
    void startEpoch() {
        scan = cursor;
        back.clear();
        suspects.clear();
        if (deliveredMark > cursor) {
            suspects.add(cursor, deliveredMark - 1);
            for (long s : deliveries.keySet()) {
                suspects.remove(s, s);
            }
        }
    }

    // ---- of this epoch, changed by the broker

    /** Sequences below this may be handed out; it takes a record to move it. */
    public long deliveredMark() {
        return deliveredMark;
    }

    /** Lowest sequence that can be handed out now, or -1. Does not take it. */
    public long peekAvailable() {
        if (!back.isEmpty()) {
            return back.first();
        }
        long end = partition.log().endSequence();
        while (scan < end) {
            if (acknowledged.contains(scan)) {
                scan = acknowledged.lastOfRangeOf(scan) + 1;
            } else if (locked.contains(scan)) {
                scan = locked.lastOfRangeOf(scan) + 1;
            } else {
                return scan;
            }
        }
        return -1;
    }

    /** Takes what {@link #peekAvailable} told. */
    public void take(long sequence) {
        if (!back.isEmpty() && back.first() == sequence) {
            back.pollFirst();
        } else {
            Invariants.check(sequence == scan, "only what is available is taken", this, sequence);
            scan++;
        }
    }

    /** Gives back one message that was handed out, in its old place. */
    public void giveBack(long sequence) {
        if (sequence >= cursor
                && sequence < scan
                && !acknowledged.contains(sequence)
                && !locked.contains(sequence)) {
            back.add(sequence, sequence);
        }
    }

    /** Gives back what a lost connection held: it may have been delivered. */
    public void giveBackSuspect(SequenceRange range) {
        for (long s = Math.max(range.first(), cursor); s <= range.last(); s++) {
            if (!deliveries.containsKey(s)) {
                suspects.add(s, s);
            }
            giveBack(s);
        }
    }

    /** True if it is neither acknowledged nor held by a prepared branch. */
    public boolean isUnsettled(long sequence) {
        return sequence >= cursor && !acknowledged.contains(sequence) && !locked.contains(sequence);
    }

    /** Upper bound of what can be handed out now. */
    public long availableAtMost() {
        return back.count() + Math.max(0, partition.log().endSequence() - scan);
    }

    /** Deliveries of this message, the next one included; &gt;= 1. */
    public int nextDeliveryCount(long sequence) {
        int known = deliveries.isEmpty() ? 0 : deliveries.getOrDefault(sequence, 0);
        return 1 + known + (isSuspect(sequence) ? 1 : 0);
    }

    /** True if it was, or may have been, delivered before. */
    public boolean isRedelivered(long sequence) {
        return isSuspect(sequence) || deliveries.containsKey(sequence);
    }

    private boolean isSuspect(long sequence) {
        return !suspects.isEmpty() && suspects.contains(sequence);
    }

    long backlog() {
        return partition.log().endSequence() - cursor - acknowledged.count() - locked.count();
    }

    // ---- for the snapshot

    SequenceSet acknowledged() {
        return acknowledged;
    }

    Map<Long, Integer> deliveries() {
        return deliveries;
    }

    void restore(long restoredCursor, long restoredMark) {
        cursor = restoredCursor;
        scan = restoredCursor;
        deliveredMark = restoredMark;
    }

    @Override
    public String toString() {
        return "cursor " + cursor + " of " + subscription + "-" + partition.number();
    }
}
