package org.metaq.broker;

import org.metaq.common.Clock;

/**
 * How much of a turn may go into looking through backlogs: other clients wait meanwhile. What is
 * left over is for the next turn. Confined to the writer thread.
 */
final class LookBudget {
    private static final long TIME_MAX_NS = 1_000_000;

    /** The same in index entries, whatever the clock says. */
    private static final int ENTRIES_MAX = 65_536;

    /** What it costs to read a message, in index entries. */
    private static final int ENTRIES_PER_MESSAGE = 16;

    private static final int ENTRIES_PER_CLOCK = 1024;

    private final Clock clock;
    private long startNs;
    private int left;
    private int nextClock;

    LookBudget(Clock clock) {
        this.clock = clock;
    }

    void startTurn() {
        left = ENTRIES_MAX;
        nextClock = ENTRIES_MAX;
    }

    boolean isSpent() {
        return left <= 0;
    }

    /** Index entries are about to be looked at. */
    void entries(int count) {
        if (left <= nextClock) {
            lookAtClock();
        }
        left -= count;
    }

    /** Messages are about to be read. */
    void messages(int count) {
        entries(count * ENTRIES_PER_MESSAGE);
    }

    private void lookAtClock() {
        long nowNs = clock.monotonicNs();
        if (nextClock == ENTRIES_MAX) {
            startNs = nowNs;
        } else if (nowNs - startNs >= TIME_MAX_NS) {
            left = 0;
        }
        nextClock = left - ENTRIES_PER_CLOCK;
    }
}
