package org.metaq.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/** Tells people how far the run is, and how long it still takes. Confined to one thread. */
final class Progress {
    private static final int SECONDS_PER_MINUTE = 60;

    private final PrintStream out;
    private final Map<String, Double> seconds;
    private final double total;
    private final long startNs = System.nanoTime();
    private double done;
    private String round = "";

    /**
     * Nothing is done yet.
     *
     * @param seconds about how long each workload takes with one broker
     * @param total about how long all of them take with all brokers in all rounds
     */
    Progress(PrintStream out, Map<String, Double> seconds, double total) {
        this.out = out;
        this.seconds = Map.copyOf(seconds);
        this.total = total;
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

    /** Something else happened. */
    void note(String provider, String text) {
        out.println(round + provider + ": " + text);
    }

    /** It failed. */
    void fail(String provider, String workload, String why) {
        out.println(round + provider + ": " + workload + " FAILED: " + why);
    }

    /** All that is known of why something failed, such as the end of a log. */
    void explain(BenchException failure) {
        out.println(failure.getMessage());
    }

    /** It is over. */
    void end(String workload) {
        done += seconds.getOrDefault(workload, 0.0);
    }

    private String left() {
        if (done == 0) {
            return "";
        }
        double elapsedSeconds = (System.nanoTime() - startNs) / 1e9;
        long shown = Math.max(0, Math.round(elapsedSeconds * (total - done) / done));
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
