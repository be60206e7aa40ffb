package org.metaq.common;

/** Source of time; injected everywhere, so that a test can own it. Thread-safe. */
public interface Clock {
    /** Wall clock, milliseconds since 1970-01-01T00:00Z; may jump either way. */
    long wallMs();

    /** Monotonic clock for durations, nanoseconds since an arbitrary origin. */
    long monotonicNs();

    /** The machine's clocks. */
    static Clock system() {
        return new Clock() {
            @Override
            public long wallMs() {
                return System.currentTimeMillis();
            }

            @Override
            public long monotonicNs() {
                return System.nanoTime();
            }
        };
    }
}
