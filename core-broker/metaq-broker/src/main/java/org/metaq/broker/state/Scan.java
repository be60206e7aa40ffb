package org.metaq.broker.state;

import java.util.Arrays;
import java.util.List;
import org.metaq.common.SequenceRange;

/**
 * How far a consumer that does not take every message has looked through what a {@link Cursor} has
 * available: by priority, the sequence below which it has looked at all; and which of them it wants
 * and did not take yet. Those may be gone meanwhile. Confined to the writer thread.
 */
public final class Scan {
    private final long[] positions = new long[Available.PRIORITY_MAX + 1];

    /** By their place in the order of delivery. */
    private final SequenceSet wanted = new SequenceSet();

    long position(int priority) {
        return positions[priority];
    }

    /** Has looked at this one and at all before it of its priority. */
    public void pass(int priority, long sequence) {
        positions[priority] = sequence + 1;
    }

    /** The consumer wants this one. */
    public void want(int priority, long sequence) {
        long place = Available.place(priority, sequence);
        wanted.add(place, place);
    }

    /** The consumer does not want this one any more. */
    public void drop(int priority, long sequence) {
        long place = Available.place(priority, sequence);
        wanted.remove(place, place);
    }

    /** How many it wants; some may be gone. */
    public long wantedCount() {
        return wanted.count();
    }

    /** What it wants; some may be gone. */
    public List<SequenceRange> wanted() {
        return wanted.ranges().stream()
                .map(
                        range ->
                                new SequenceRange(
                                        Available.sequence(range.first()),
                                        Available.sequence(range.last())))
                .toList();
    }

    /** Place of the first that it wants; {@link Available#NOWHERE} if there is none. */
    long firstWanted(Available available) {
        while (!wanted.isEmpty()) {
            long place = wanted.first();
            if (available.contains(Available.priority(place), Available.sequence(place))) {
                return place;
            }
            wanted.pollFirst();
        }
        return Available.NOWHERE;
    }

    /** A message came back: it is to be looked at again. */
    void lower(int priority, long sequence) {
        positions[priority] = Math.min(positions[priority], sequence);
    }

    /** Everything is to be looked at again. */
    public void restart() {
        Arrays.fill(positions, 0);
        wanted.clear();
    }
}
