package org.metaq.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The results for a terminal. Stateless. */
final class Table {
    private static final String ROW = "%-14s%-14s%-33s%-19s%-12s%-12s%-9s%-10s%-10s%s%n";
    private static final double THOUSAND = 1000;

    private Table() {}

    /**
     * Medians over the rounds, and how ours compare.
     *
     * @param ours name of the provider that is compared with the others
     * @param verdicts on what we want
     */
    static String of(Results results, String ours, List<Bar.Verdict> verdicts) {
        StringBuilder table = new StringBuilder();
        table.append(
                String.format(
                        Locale.ROOT,
                        ROW,
                        "",
                        "",
                        "per second (min-max)",
                        "ms p50/p99/p99.9",
                        "CPU us",
                        "sleeps",
                        "flushes",
                        "disk B",
                        "RSS MB",
                        "others' cores"));
        for (String name : results.names()) {
            for (String provider : results.providers(name)) {
                table.append(row(results, name, provider));
            }
        }
        table.append(
                "Per message, or what is counted: CPU and voluntary sleeps of broker+client;"
                        + " flushes and bytes of the whole disk, other programs' too. ~n: other"
                        + " programs used the machine in n rounds\n");
        table.append(backlogs(results));
        for (String name : results.names()) {
            for (String provider : results.providers(name)) {
                if (!provider.equals(ours) && isMeasured(results, name, ours, provider)) {
                    table.append(ratio(results, name, ours, provider));
                }
            }
        }
        verdicts.forEach(verdict -> table.append("bar ").append(verdict).append('\n'));
        return table.toString();
    }

    private static boolean isMeasured(Results results, String name, String ours, String peer) {
        return !results.rounds(name, ours).isEmpty() && !results.rounds(name, peer).isEmpty();
    }

    private static String row(Results results, String name, String provider) {
        StringBuilder row = new StringBuilder();
        if (!results.rounds(name, provider).isEmpty()) {
            row.append(measuredRow(results, name, provider));
        }
        results.failures(name, provider).stream()
                .distinct()
                .forEach(
                        why ->
                                row.append(
                                        String.format(
                                                Locale.ROOT,
                                                "%-14s%-14s- %s%n",
                                                name,
                                                provider,
                                                why)));
        return row.toString();
    }

    private static String measuredRow(Results results, String name, String provider) {
        Results.Spread rate = results.spread(name, provider, Metric.RATE);
        long disturbed = results.disturbedRounds(name, provider);
        return String.format(
                Locale.ROOT,
                ROW,
                name,
                provider,
                count(rate.median()) + " (" + count(rate.min()) + "-" + count(rate.max()) + ")",
                ms(results, name, provider, Metric.P50_US)
                        + "/"
                        + ms(results, name, provider, Metric.P99_US)
                        + "/"
                        + ms(results, name, provider, Metric.P999_US),
                pair(results, name, provider, Metric.BROKER_CPU_US, Metric.CLIENT_CPU_US),
                pair(results, name, provider, Metric.BROKER_SWITCHES, Metric.CLIENT_SWITCHES),
                shown("%.2f", results.spread(name, provider, Metric.FLUSHES).median()),
                shown("%.0f", results.spread(name, provider, Metric.DISK_BYTES).median()),
                shown("%.0f", results.spread(name, provider, Metric.BROKER_RSS_MB).max()),
                shown("%.1f", results.spread(name, provider, Metric.OTHERS_CORES).median())
                        + (disturbed == 0 ? "" : " ~" + disturbed));
    }

    /** What only a large backlog has. */
    private static String backlogs(Results results) {
        StringBuilder lines = new StringBuilder();
        for (String row : BacklogRound.ROWS) {
            for (String provider : results.providers(row)) {
                String values = ofBacklog(results, row, provider);
                if (!values.isEmpty()) {
                    lines.append(
                            String.format(Locale.ROOT, "%-14s%-14s%s%n", row, provider, values));
                }
            }
        }
        return lines.toString();
    }

    /** What is measured of a large backlog alone, by name; empty if nothing was. */
    static String ofBacklog(Results results, String row, String provider) {
        return String.join(
                ", ",
                Stream.of(
                                Metric.FIRST_TENTH_RATE,
                                Metric.LAST_TENTH_RATE,
                                Metric.DISK_GB,
                                Metric.STOP_S,
                                Metric.READY_S,
                                Metric.FIRST_MESSAGE_S)
                        .filter(m -> isKnown(results, row, provider, m))
                        .map(m -> m.key() + " " + median(results, row, provider, m))
                        .toList());
    }

    private static boolean isKnown(Results results, String name, String provider, Metric metric) {
        return !Double.isNaN(results.spread(name, provider, metric).median());
    }

    private static String median(Results results, String name, String provider, Metric metric) {
        double value = results.spread(name, provider, metric).median();
        return shown(value < THOUSAND ? "%.2f" : "%,.0f", value);
    }

    private static String ratio(Results results, String name, String ours, String peer) {
        List<String> ratios =
                Stream.of(Metric.RATE, Metric.P50_US, Metric.P99_US, Metric.BROKER_CPU_US)
                        .map(metric -> shown("%.2f", results.ratio(name, ours, peer, metric)))
                        .toList();
        return String.format(
                Locale.ROOT,
                "%-14s%s / %s: rate %s, p50 %s, p99 %s, broker CPU %s%n",
                name,
                ours,
                peer,
                ratios.get(0),
                ratios.get(1),
                ratios.get(2),
                ratios.get(3));
    }

    private static String count(double rate) {
        return shown("%,.0f", rate);
    }

    private static String ms(Results results, String name, String provider, Metric metric) {
        double us = results.spread(name, provider, metric).median();
        return shown(us < 10 * THOUSAND ? "%.2f" : "%.0f", us / THOUSAND);
    }

    private static String pair(
            Results results, String name, String provider, Metric broker, Metric client) {
        return brief(results.spread(name, provider, broker).median())
                + "+"
                + brief(results.spread(name, provider, client).median());
    }

    private static String brief(double value) {
        return shown(value < 10 ? "%.2f" : "%.0f", value);
    }

    private static String shown(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
