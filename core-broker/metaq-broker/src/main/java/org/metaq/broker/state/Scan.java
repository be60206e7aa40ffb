package org.metaq.broker.state;

import java.util.Arrays;

/**
 * How far a consumer that does not take every message has looked through what a {@link Cursor} has
 * available: by priority, the sequence below which it wants none. Confined to the writer thread.
 */
public final class Scan {
    private final long[] positions = new long[10];

    long position(int priority) {
        return positions[priority];
    }

    /** The same, to look ahead. */
    public Scan copy() {
        Scan copy = new Scan();
        System.arraycopy(positions, 0, copy.positions, 0, positions.length);
        return copy;
    }

    /** The consumer does not want this one, nor any before it of its priority. */
    public void pass(int priority, long sequence) {
        positions[priority] = sequence + 1;
    }

    /** A message came back: it is to be looked at again. */
    void lower(int priority, long sequence) {
        positions[priority] = Math.min(positions[priority], sequence);
    }

    /** Everything is to be looked at again. */
    public void restart() {
        Arrays.fill(positions, 0);
    }
}
