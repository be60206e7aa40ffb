package org.metaq.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/** Tells people how far the run is, and how long it still takes. Confined to one thread. */
final class Progress {
    private static final int SECONDS_PER_MINUTE = 60;

    private final PrintStream out;
    private final Map<String, Double> weights;
    private final double total;
    private final long startNs = System.nanoTime();
    private double done;
    private String round = "";

    /**
     * Nothing is done yet.
     *
     * @param weights about how long each workload takes, in any unit
     * @param turns how often all are run
     */
    Progress(PrintStream out, Map<String, Double> weights, int turns) {
        this.out = out;
        this.weights = Map.copyOf(weights);
        this.total = turns * weights.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Names the round in what is printed from now on. */
    void round(int number, int rounds) {
        round = "round " + number + "/" + rounds + " ";
    }

    /** A workload begins. */
    void begin(String provider, String workload) {
        out.println(round + provider + ": " + workload + " runs..." + left());
    }

    /** It has a result. */
    void show(String provider, Measurement measurement) {
        out.println(round + provider + ": " + summary(measurement));
    }

    /** It failed. */
    void fail(String provider, String workload, String why) {
        out.println(round + provider + ": " + workload + " FAILED: " + why);
    }

    /** It is over. */
    void end(String workload) {
        done += weights.getOrDefault(workload, 0.0);
    }

    private String left() {
        if (done == 0) {
            return "";
        }
        double seconds = (System.nanoTime() - startNs) / 1e9 * (total - done) / done;
        long shown = Math.max(0, Math.round(seconds));
        return String.format(
                Locale.ROOT,
                " about %d:%02d min left",
                shown / SECONDS_PER_MINUTE,
                shown % SECONDS_PER_MINUTE);
    }

    private static String summary(Measurement measurement) {
        String text =
                String.format(
                        Locale.ROOT,
                        "%s %,.0f/s, p50 %.2f ms, p99 %.2f ms",
                        measurement.name(),
                        measurement.value(Metric.RATE),
                        measurement.value(Metric.P50_US) / 1e3,
                        measurement.value(Metric.P99_US) / 1e3);
        if (measurement.isComplete()) {
            return text;
        }
        return text
                + String.format(
                        Locale.ROOT,
                        "; WRONG: %.0f lost, %.0f doubled",
                        measurement.value(Metric.LOST),
                        measurement.value(Metric.DOUBLED));
    }
}
