package org.metaq.sim;

import org.metaq.common.Clock;

/** Time that passes only when the simulation says so. Confined to the simulation's thread. */
final class SimClock implements Clock {
    private static final long START_MS = 1_700_000_000_000L;

    private long wallMs = START_MS;
    private long monotonicNs = 1_000_000_000L;

    @Override
    public long wallMs() {
        return wallMs;
    }

    @Override
    public long monotonicNs() {
        return monotonicNs;
    }

    /** Time passes, on both clocks. */
    void advanceMs(long ms) {
        wallMs += ms;
        monotonicNs += ms * 1_000_000L;
    }

    /** Somebody sets the wall clock; {@code ms} may be negative. */
    void jumpWallMs(long ms) {
        wallMs += ms;
    }
}
