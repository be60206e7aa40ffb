package org.metaq.broker.state;

import java.util.Arrays;
import org.metaq.store.log.MessageMeta;

/**
 * What is known of a partition's messages without its index: runs of messages of the same
 * <em>kind</em>, which is priority, flags, and whether they expire. So a backlog of ten million
 * alike messages is sorted in without reading any of it. The newest runs are kept; what came before
 * is one run of which nothing is known. Part of the state. Confined to the writer thread.
 */
public final class Kinds {
    /** Nothing is known: the index tells. */
    static final int UNKNOWN = -1;

    /** Runs that are kept. */
    static final int RUNS_MAX = 16;

    private static final int PRIORITY_SHIFT = 8;
    private static final int FLAGS_MASK = 0xFF;
    private static final int PRIORITY_MASK = 0xFF;
    private static final int EXPIRES = 1 << 16;

    // Run i starts at firsts[i] and ends where the next one starts, the last one at end.
    private final long[] firsts = new long[RUNS_MAX];
    private final int[] kinds = new int[RUNS_MAX];
    private int count;
    private long end;

    static int kind(int priority, int flags, boolean expires) {
        return priority << PRIORITY_SHIFT | flags | (expires ? EXPIRES : 0);
    }

    static int kind(MessageMeta meta) {
        return kind(meta.priority(), meta.flags(), meta.expirationMs() != 0);
    }

    static int priority(int kind) {
        return kind >> PRIORITY_SHIFT & PRIORITY_MASK;
    }

    static int flags(int kind) {
        return kind & FLAGS_MASK;
    }

    /** A message was appended. Between it and the one before may be some that are not known. */
    void append(long sequence, int kind) {
        if (sequence > end) {
            add(end, UNKNOWN);
        }
        add(sequence, kind);
        end = sequence + 1;
    }

    private void add(long first, int kind) {
        if (count > 0 && kinds[count - 1] == kind) {
            return;
        }
        if (count == RUNS_MAX) {
            // The two oldest become one.
            System.arraycopy(firsts, 2, firsts, 1, RUNS_MAX - 2);
            System.arraycopy(kinds, 2, kinds, 1, RUNS_MAX - 2);
            kinds[0] = UNKNOWN;
            count--;
        }
        firsts[count] = first;
        kinds[count] = kind;
        count++;
    }

    /** Kind of a message, or {@link #UNKNOWN}. */
    int of(long sequence) {
        int i = run(sequence);
        return i < 0 ? UNKNOWN : kinds[i];
    }

    /** The sequence behind the run that holds this one, at most {@code max}. */
    long endOfRun(long sequence, long max) {
        int i = run(sequence);
        return i < 0 ? max : Math.min(max, i + 1 < count ? firsts[i + 1] : end);
    }

    /** The first message from this one on that may expire; {@code max} if there is none. */
    public long nextExpiring(long sequence, long max) {
        long next = sequence;
        while (next < max && (of(next) & EXPIRES) == 0) {
            next = endOfRun(next, max);
        }
        return next;
    }

    private int run(long sequence) {
        if (sequence >= end) {
            return -1;
        }
        int i = count - 1;
        while (i >= 0 && firsts[i] > sequence) {
            i--;
        }
        return i;
    }

    // ---- for the snapshot

    /** First sequence of each run. */
    long[] firsts() {
        return Arrays.copyOf(firsts, count);
    }

    /** The sequence behind all runs. */
    long end() {
        return end;
    }

    /** Adds a run, in order, as it was stored. */
    void restore(long first, long endOfAll, int kind) {
        add(first, kind);
        end = endOfAll;
    }
}
