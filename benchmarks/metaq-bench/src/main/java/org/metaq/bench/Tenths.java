package org.metaq.bench;

import java.util.Map;

/** Rates of the first and last tenth of a number of messages. Confined to one thread. */
final class Tenths {
    private static final int PARTS = 10;

    private final int total;
    private final long startNs = System.nanoTime();
    private long firstEndNs;
    private long lastStartNs;

    /** Begins now. */
    Tenths(int total) {
        this.total = total;
    }

    /**
     * Notes how far it is.
     *
     * @param done messages so far
     */
    void passed(int done) {
        if (firstEndNs == 0 && done >= total / PARTS) {
            firstEndNs = System.nanoTime();
        }
        if (lastStartNs == 0 && done >= total - total / PARTS) {
            lastStartNs = System.nanoTime();
        }
    }

    /** The rates, at the end. */
    Map<Metric, Double> rates() {
        double tenth = total * 1e9 / PARTS;
        double first = tenth / (firstEndNs - startNs);
        double last = tenth / (System.nanoTime() - lastStartNs);
        return Map.of(
                Metric.FIRST_TENTH_RATE, first,
                Metric.LAST_TENTH_RATE, last,
                Metric.LAST_PER_FIRST_TENTH, last / first);
    }
}
