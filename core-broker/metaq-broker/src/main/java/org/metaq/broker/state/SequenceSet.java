package org.metaq.broker.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.metaq.common.SequenceRange;

/**
 * A set of sequences that costs memory by its ranges. Adjacent ranges are merged. Confined to the
 * writer thread.
 */
public final class SequenceSet {
    private final TreeMap<Long, Long> lastByFirst = new TreeMap<>();
    private long count;

    /** How many sequences it holds. */
    public long count() {
        return count;
    }

    /** True if it holds none. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** True if it holds this one. */
    public boolean contains(long sequence) {
        Map.Entry<Long, Long> range = lastByFirst.floorEntry(sequence);
        return range != null && range.getValue() >= sequence;
    }

    /** True if it holds every sequence of the range. */
    public boolean containsAll(SequenceRange range) {
        Map.Entry<Long, Long> holder = lastByFirst.floorEntry(range.first());
        return holder != null && holder.getValue() >= range.last();
    }

    /** Lowest sequence. The set must not be empty. */
    public long first() {
        return lastByFirst.firstKey();
    }

    /** Lowest sequence that is not below this one; -1 if there is none. */
    public long next(long from) {
        Map.Entry<Long, Long> range = lastByFirst.floorEntry(from);
        if (range != null && range.getValue() >= from) {
            return from;
        }
        Long above = lastByFirst.ceilingKey(from);
        return above == null ? -1 : above;
    }

    /** Last sequence of the range that holds this one, which must be in the set. */
    public long lastOfRangeOf(long sequence) {
        return lastByFirst.floorEntry(sequence).getValue();
    }

    /** Adds every sequence {@code first..last}; those already in stay. */
    public void add(long first, long last) {
        long newFirst = first;
        long newLast = last;
        Map.Entry<Long, Long> before = lastByFirst.floorEntry(first);
        if (before != null && before.getValue() >= first - 1) {
            newFirst = before.getKey();
            newLast = Math.max(newLast, before.getValue());
            count -= before.getValue() - newFirst + 1;
        }
        Map.Entry<Long, Long> next = lastByFirst.higherEntry(newFirst);
        while (next != null && next.getKey() <= newLast + 1) {
            newLast = Math.max(newLast, next.getValue());
            drop(next);
            next = lastByFirst.higherEntry(newFirst);
        }
        put(newFirst, newLast);
    }

    /** Removes every sequence {@code first..last}; those not in are ignored. */
    public void remove(long first, long last) {
        Map.Entry<Long, Long> range = lastByFirst.floorEntry(first);
        if (range == null || range.getValue() < first) {
            range = lastByFirst.ceilingEntry(first);
        }
        while (range != null && range.getKey() <= last) {
            drop(range);
            if (range.getKey() < first) {
                put(range.getKey(), first - 1);
            }
            if (range.getValue() > last) {
                put(last + 1, range.getValue());
            }
            range = lastByFirst.ceilingEntry(first);
        }
    }

    /** Removes and returns the lowest sequence. The set must not be empty. */
    public long pollFirst() {
        Map.Entry<Long, Long> range = lastByFirst.firstEntry();
        long sequence = range.getKey();
        drop(range);
        if (range.getValue() > sequence) {
            put(sequence + 1, range.getValue());
        }
        return sequence;
    }

    /** Removes all. */
    public void clear() {
        lastByFirst.clear();
        count = 0;
    }

    /** Its ranges, ascending; a copy. */
    public List<SequenceRange> ranges() {
        List<SequenceRange> ranges = new ArrayList<>(lastByFirst.size());
        lastByFirst.forEach((first, last) -> ranges.add(new SequenceRange(first, last)));
        return ranges;
    }

    private void put(long first, long last) {
        lastByFirst.put(first, last);
        count += last - first + 1;
    }

    private void drop(Map.Entry<Long, Long> range) {
        lastByFirst.remove(range.getKey());
        count -= range.getValue() - range.getKey() + 1;
    }

    @Override
    public String toString() {
        return lastByFirst.toString();
    }
}
