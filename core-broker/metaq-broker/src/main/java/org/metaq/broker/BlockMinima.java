package org.metaq.broker;

import java.util.Arrays;

/**
 * For each block of 256 sequences a place in the order of delivery before which none of it is due.
 * Confined to the writer thread.
 */
final class BlockMinima {
    private static final int BLOCK_LENGTH = 256;
    private static final int CAPACITY_MIN = 16;

    private long[] timesMs = new long[0];
    private long[] arrivals = new long[0];
    private long firstBlock;

    /** The sequence behind the block that holds this one. */
    static long endOfBlock(long sequence) {
        return (sequence / BLOCK_LENGTH + 1) * BLOCK_LENGTH;
    }

    /** This sequence is due then; its block at the latest so, too. */
    void lower(long sequence, long timeMs, long arrival) {
        if (sequence / BLOCK_LENGTH < firstBlock) {
            return;
        }
        int i = index(sequence);
        if (timeMs < timesMs[i] || (timeMs == timesMs[i] && arrival < arrivals[i])) {
            timesMs[i] = timeMs;
            arrivals[i] = arrival;
        }
    }

    /** Nothing is known to be due in the block of this sequence. */
    void reset(long sequence) {
        int i = index(sequence);
        timesMs[i] = Long.MAX_VALUE;
        arrivals[i] = Long.MAX_VALUE;
    }

    /** True if the block of this sequence may hold something below a place. */
    boolean isBelow(long sequence, DueIndex.Key place) {
        int i = index(sequence);
        return place.isAbove(timesMs[i], arrivals[i]);
    }

    /** Sequences below this are of no interest any more. */
    void forgetBelow(long sequence) {
        int count = (int) Math.min(sequence / BLOCK_LENGTH - firstBlock, timesMs.length);
        if (timesMs.length == 0 || count > timesMs.length / 2) {
            timesMs = Arrays.copyOfRange(timesMs, count, timesMs.length);
            arrivals = Arrays.copyOfRange(arrivals, count, arrivals.length);
            firstBlock = sequence / BLOCK_LENGTH;
        }
    }

    private int index(long sequence) {
        int i = Math.toIntExact(sequence / BLOCK_LENGTH - firstBlock);
        if (i >= timesMs.length) {
            int from = timesMs.length;
            int length = Math.max(CAPACITY_MIN, Math.max(i + 1, from + from / 2));
            timesMs = Arrays.copyOf(timesMs, length);
            arrivals = Arrays.copyOf(arrivals, length);
            Arrays.fill(timesMs, from, length, Long.MAX_VALUE);
            Arrays.fill(arrivals, from, length, Long.MAX_VALUE);
        }
        return i;
    }
}
