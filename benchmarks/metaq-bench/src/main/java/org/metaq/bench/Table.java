package org.metaq.bench;

import java.util.Locale;
import java.util.stream.Stream;

/** The results for a terminal. Stateless. */
final class Table {
    private static final String ROW = "%-6s%-9s%-26s%-19s%-12s%-12s%-9s%-10s%-10s%s%n";
    private static final double THOUSAND = 1000;

    private Table() {}

    /**
     * Medians over the rounds, and how ours compare.
     *
     * @param ours name of the provider that is compared with the others
     */
    static String of(Results results, String ours) {
        StringBuilder table = new StringBuilder();
        table.append(
                String.format(
                        Locale.ROOT,
                        ROW,
                        "",
                        "",
                        "messages/s (min-max)",
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
                "Per message: CPU and voluntary sleeps of broker+client; flushes and bytes of the"
                        + " whole disk, other programs' too\n");
        for (String name : results.names()) {
            for (String provider : results.providers(name)) {
                if (!provider.equals(ours) && results.providers(name).contains(ours)) {
                    table.append(ratio(results, name, ours, provider));
                }
            }
        }
        return table.toString();
    }

    private static String row(Results results, String name, String provider) {
        Results.Spread rate = results.spread(name, provider, Metric.RATE);
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
                shown("%.1f", results.spread(name, provider, Metric.OTHERS_CORES).median()));
    }

    private static String ratio(Results results, String name, String ours, String peer) {
        String[] ratios =
                Stream.of(Metric.RATE, Metric.P50_US, Metric.P99_US, Metric.BROKER_CPU_US)
                        .map(
                                metric ->
                                        results.spread(name, ours, metric).median()
                                                / results.spread(name, peer, metric).median())
                        .map(ratio -> shown("%.2f", ratio))
                        .toArray(String[]::new);
        return String.format(
                Locale.ROOT,
                "%-6s%s / %s: rate %s, p50 %s, p99 %s, broker CPU %s%n",
                name,
                ours,
                peer,
                ratios[0],
                ratios[1],
                ratios[2],
                ratios[3]);
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
