package org.metaq.broker.state;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.common.Invariants;
import org.metaq.common.SequenceRange;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;

/**
 * A subscription's state on one partition.
 *
 * <p>Records change, checkpoints keep: the <em>cursor</em> (lowest unacknowledged sequence), what
 * is acknowledged above it, what prepared branches hold, what is <em>marked</em> as perhaps
 * delivered, the known delivery counts, and until when messages that came back wait.
 *
 * <p>Of this epoch only: what is <em>available</em> below the <em>frontier</em>, up to which the
 * partition was looked at, what <em>waits</em> there, and the <em>suspects</em>: messages that a
 * lost connection or an earlier epoch may have delivered. A sequence below the frontier that is not
 * available, waiting, acknowledged or locked is held by a connection.
 */
public final class Cursor {
    /** Which messages a subscription gets. */
    public interface Filter {
        /**
         * Whether it gets this one, which is published.
         *
         * @param meta its index entry
         */
        boolean accepts(MessageLog log, long sequence, MessageMeta meta);
    }

    /**
     * Until when a message that came back waits.
     *
     * @param ms since 1970
     * @param isStrict whether its message group waits for it
     */
    public record Due(long ms, boolean isStrict) {}

    private static final int REJECTED = -1;

    private final Subscription subscription;
    private final Partition partition;

    private long cursor;
    private final SequenceSet acknowledged = new SequenceSet();
    private final SequenceSet locked = new SequenceSet();
    private final TreeMap<Long, Integer> deliveries = new TreeMap<>();
    private final TreeMap<Long, Due> dues = new TreeMap<>();
    private final SequenceSet marked = new SequenceSet();
    private long delayedFrom;

    private long frontier;
    private final Available available = new Available();
    private final SequenceSet waiting = new SequenceSet();
    private final SequenceSet suspects = new SequenceSet();
    private final Set<Scan> scans = new LinkedHashSet<>();

    Cursor(Subscription subscription, Partition partition, long start) {
        this.subscription = subscription;
        this.partition = partition;
        this.cursor = start;
        this.frontier = start;
        DelayLog delayed = partition.delayed();
        this.delayedFrom = delayed == null ? 0 : delayed.log().endSequence();
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

    /**
     * Below this nothing is for anybody any more: acknowledged, or trimmed, which the cursors of a
     * subscription that is gone are not told of.
     */
    public long lowest() {
        return Math.max(cursor, partition.log().startSequence());
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
        forget(first, range.last());
        if (first == cursor) {
            cursor = range.last() + 1;
            if (!acknowledged.isEmpty()) {
                acknowledged.remove(0, range.last());
                absorb();
            }
            frontier = Math.max(frontier, cursor);
            partition.log().releaseBelow(cursor);
        } else {
            acknowledged.add(first, range.last());
        }
    }

    private void forget(long first, long last) {
        deliveries.subMap(first, true, last, true).clear();
        if (!dues.isEmpty()) {
            dues.subMap(first, true, last, true).clear();
            waiting.remove(first, last);
        }
        marked.remove(first, last);
        available.remove(first, last);
        suspects.remove(first, last);
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
        long first = Math.max(range.first(), cursor);
        locked.add(first, range.last());
        available.remove(first, range.last());
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

    /** Has a message wait that is released next. */
    public void delay(long sequence, Due due) {
        if (isUnsettled(sequence)) {
            dues.put(sequence, due);
            waiting.add(sequence, sequence);
        }
    }

    /** Counts one delivery of each and gives them back, but for those that wait. */
    public void releaseDelivered(SequenceRange range) {
        for (long s = Math.max(range.first(), lowest()); s <= range.last(); s++) {
            if (!acknowledged.contains(s)) {
                deliveries.merge(s, 1, Integer::sum);
                suspects.remove(s, s);
                giveBack(s);
            }
        }
    }

    /** Messages from {@code first} to {@code last} may be handed out from now on. */
    void mark(long first, long last) {
        long to = Math.min(last, partition.log().endSequence() - 1);
        long from = Math.max(first, cursor);
        while (from <= to) {
            if (acknowledged.contains(from)) {
                from = acknowledged.lastOfRangeOf(from) + 1;
            } else {
                long next = acknowledged.next(from);
                long end = next < 0 ? to : Math.min(to, next - 1);
                marked.add(from, end);
                from = end + 1;
            }
        }
    }

    /**
     * A delayed message was appended. It is not for a subscription that began after it was sent
     * (Jakarta Messaging 3.1 §7.9).
     *
     * @param arrival number of the message among the delayed ones
     */
    void delayedCame(long sequence, long arrival) {
        if (arrival < delayedFrom) {
            acknowledge(new SequenceRange(sequence, sequence));
        }
    }

    /** Moves to another place: everything from there on is to be delivered, nothing before it. */
    void reset(long start) {
        acknowledged.clear();
        deliveries.clear();
        dues.clear();
        waiting.clear();
        marked.clear();
        suspects.clear();
        available.clear();
        long end = partition.log().endSequence();
        cursor = Math.max(partition.log().startSequence(), Math.min(start, end));
        frontier = cursor;
        delayedFrom = 0;
        scans.forEach(Scan::restart);
    }

    /** A new epoch: nothing is handed out, what was marked and is not known is suspect. */
    void startEpoch() {
        frontier = cursor;
        available.clear();
        suspects.clear();
        waiting.clear();
        marked.ranges().forEach(range -> suspects.add(range.first(), range.last()));
        deliveries.keySet().forEach(s -> suspects.remove(s, s));
        dues.keySet().forEach(s -> waiting.add(s, s));
    }

    // ---- of this epoch, changed by the broker

    /**
     * Looks at messages that came since the last call and sorts them in.
     *
     * @param filter which of them the subscription gets; null: all
     * @param max most of them that are looked at
     * @return runs that the subscription does not get, for the caller to acknowledge
     */
    public List<SequenceRange> look(@Nullable Filter filter, int max) {
        long end = Math.min(partition.log().endSequence(), frontier + max);
        List<SequenceRange> rejected = new ArrayList<>(0);
        while (frontier < end) {
            SequenceSet holder = holder(frontier);
            if (holder != null) {
                frontier = holder.lastOfRangeOf(frontier) + 1;
            } else if (filter == null) {
                sortIn(endOfRun(end));
            } else {
                sortIn(filter, rejected, endOfRun(end));
            }
        }
        return rejected;
    }

    /** The set of those that are not for anybody that holds this one; null if it is available. */
    private @Nullable SequenceSet holder(long sequence) {
        if (acknowledged.contains(sequence)) {
            return acknowledged;
        }
        if (locked.contains(sequence)) {
            return locked;
        }
        return waiting.contains(sequence) ? waiting : null;
    }

    private long endOfRun(long end) {
        long next = end;
        for (SequenceSet set : List.of(acknowledged, locked, waiting)) {
            long held = set.next(frontier);
            next = held < 0 ? next : Math.min(next, held);
        }
        return next;
    }

    /** Sorts in up to here, by runs of the same priority. */
    private void sortIn(long end) {
        MessageLog log = partition.log();
        Kinds kinds = partition.kinds();
        while (frontier < end) {
            long next = kinds.endOfRun(frontier, end);
            int kind = kinds.of(frontier);
            if (kind == Kinds.UNKNOWN) {
                kind = Kinds.kind(log.meta(frontier));
                next = log.endOfAlike(frontier, next);
            }
            int priority = Kinds.priority(kind);
            subscription.seen(priority, Kinds.flags(kind));
            available.add(priority, frontier, next - 1);
            frontier = next;
        }
    }

    /** The same of what a filter lets pass. */
    private void sortIn(Filter filter, List<SequenceRange> rejected, long end) {
        MessageLog log = partition.log();
        int place = place(filter, log, frontier);
        while (frontier < end) {
            long first = frontier;
            int next = place;
            while (next == place && ++frontier < end) {
                next = place(filter, log, frontier);
            }
            if (place == REJECTED) {
                rejected.add(new SequenceRange(first, frontier - 1));
            } else {
                available.add(place, first, frontier - 1);
            }
            place = next;
        }
    }

    /** The priority of a message, or {@link #REJECTED}. */
    private int place(Filter filter, MessageLog log, long sequence) {
        MessageMeta meta = log.meta(sequence);
        if (!filter.accepts(log, sequence, meta)) {
            return REJECTED;
        }
        subscription.seen(meta.priority(), meta.flags());
        return meta.priority();
    }

    /** True if there are messages that {@link #look} has not seen. */
    public boolean hasUnseen() {
        return unseenCount() > 0;
    }

    /** How many messages {@link #look} has not seen. */
    public long unseenCount() {
        return partition.log().endSequence() - frontier;
    }

    /** What can be handed out next: by priority, then in order; -1 if there is nothing. */
    public long first() {
        return available.first();
    }

    /**
     * As {@link #first}, of what a scan wants; also -1 while something that may come before it was
     * not looked at.
     */
    public long firstWanted(Scan scan) {
        long place = scan.firstWanted(available);
        return place < available.first(scan) ? Available.sequence(place) : -1;
    }

    /** The next run of one priority that a scan has not looked at; null if it has looked at all. */
    public @Nullable SequenceRange unlooked(Scan scan) {
        long place = available.first(scan);
        if (place == Available.NOWHERE) {
            return null;
        }
        long first = Available.sequence(place);
        return new SequenceRange(first, available.lastOfRun(Available.priority(place), first));
    }

    /** Has a scan told of what comes back, until {@link #end}. */
    public void begin(Scan scan) {
        scans.add(scan);
    }

    /** The consumer of a scan is closed. */
    public void end(Scan scan) {
        scans.remove(scan);
    }

    /** Takes a message that is available. */
    public void take(long sequence) {
        available.remove(sequence, sequence);
    }

    /** True if a connection holds it. */
    public boolean isHeld(long sequence) {
        return sequence < frontier
                && isUnsettled(sequence)
                && !waiting.contains(sequence)
                && !available.contains(sequence);
    }

    /** How many can be handed out now, whoever wants them. */
    public long availableCount() {
        return available.count();
    }

    /** True if a record says that it may have been handed out: only then it may be. */
    public boolean isMarked(long sequence) {
        return marked.contains(sequence);
    }

    /**
     * Runs that will be handed out next to who takes every message, as many as hold {@code count}.
     */
    public List<SequenceRange> upcoming(int count) {
        List<SequenceRange> runs = new ArrayList<>();
        available.forEachRun(count, runs::add);
        return runs;
    }

    /** True if so many of the run that begins with the next message are marked, or all of it. */
    public boolean isMarkedAhead(int count) {
        long first = available.first();
        return first < 0
                || marked.contains(Math.min(available.lastOfRun(first), first + count - 1));
    }

    /** Gives back one message that was handed out, in its old place. */
    public void giveBack(long sequence) {
        if (sequence < frontier && isUnsettled(sequence) && !waiting.contains(sequence)) {
            int priority = partition.log().meta(sequence).priority();
            available.add(priority, sequence, sequence);
            scans.forEach(scan -> scan.lower(priority, sequence));
        }
    }

    /** Gives back what a lost connection held: it may have been delivered. */
    public void giveBackSuspect(SequenceRange range) {
        for (long s = Math.max(range.first(), lowest()); s <= range.last(); s++) {
            if (!deliveries.containsKey(s)) {
                suspects.add(s, s);
            }
            giveBack(s);
        }
    }

    /**
     * The time of a message that waits has come.
     *
     * @param dueMs what it waited for; if that has changed, it goes on waiting
     * @return whether it can be handed out now
     */
    public boolean wake(long sequence, long dueMs) {
        Due due = dues.get(sequence);
        if (due == null || due.ms() != dueMs || !waiting.contains(sequence)) {
            return false;
        }
        waiting.remove(sequence, sequence);
        giveBack(sequence);
        return true;
    }

    /** True if it came back and its time has not come yet. */
    public boolean isWaiting(long sequence) {
        return waiting.contains(sequence);
    }

    /** Which messages wait, or waited, and until when. */
    public Map<Long, Due> dues() {
        return dues;
    }

    /** True if it is neither acknowledged nor held by a prepared branch. */
    public boolean isUnsettled(long sequence) {
        return sequence >= lowest()
                && !acknowledged.contains(sequence)
                && !locked.contains(sequence);
    }

    /** Deliveries that are known, without the one under way; &gt;= 0. */
    public int knownDeliveries(long sequence) {
        return deliveries.isEmpty() ? 0 : deliveries.getOrDefault(sequence, 0);
    }

    /** Deliveries of this message, the next one included; &gt;= 1. */
    public int nextDeliveryCount(long sequence) {
        return 1 + knownDeliveries(sequence) + (isSuspect(sequence) ? 1 : 0);
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

    SequenceSet locked() {
        return locked;
    }

    SequenceSet marked() {
        return marked;
    }

    Map<Long, Integer> deliveries() {
        return deliveries;
    }

    long delayedFrom() {
        return delayedFrom;
    }

    void restore(long restoredCursor, long restoredDelayedFrom) {
        cursor = restoredCursor;
        frontier = restoredCursor;
        delayedFrom = restoredDelayedFrom;
    }

    @Override
    public String toString() {
        return "cursor " + cursor + " of " + subscription + "-" + partition.number();
    }
}
