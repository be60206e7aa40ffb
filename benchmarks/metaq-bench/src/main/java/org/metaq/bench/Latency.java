package org.metaq.bench;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Latencies of the measured time. Thread-safe. */
final class Latency {
    private static final int DIGITS = 3;
    // Replaced by the thread that measures; producers and consumers see it soon enough.
    private volatile Histogram histogram = new ConcurrentHistogram(DIGITS);

    void note(long durationNs) {
        histogram.recordValue(durationNs);
    }

    /** Forgets what was noted so far. */
    void restart() {
        histogram = new ConcurrentHistogram(DIGITS);
    }

    /** What was noted since {@link #restart}, and begins anew. */
    Histogram take() {
        Histogram taken = histogram;
        restart();
        return taken;
    }
}
