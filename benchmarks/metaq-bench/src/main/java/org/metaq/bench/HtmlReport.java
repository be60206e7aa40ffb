package org.metaq.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results as one page that needs nothing else. Stateless. */
final class HtmlReport {
    private static final String[] COLOURS = {"#1769aa", "#d97706", "#6b7280", "#7c3aed", "#0d9488"};
    private static final int BAR_WIDTH = 460;
    private static final int BAR_HEIGHT = 18;
    private static final int LABEL_WIDTH = 110;
    private static final int VALUE_WIDTH = 230;

    private static final String STYLE =
            """
            body { font: 15px/1.5 system-ui, sans-serif; color: #1f2937; background: #fff;
                   max-width: 1080px; margin: 2em auto; padding: 0 1em }
            h1, h2 { font-weight: 600 } h3 { margin: 1.6em 0 .2em; font-weight: 600 }
            p { margin: .2em 0 } .what { color: #4b5563 }
            table { border-collapse: collapse; font-size: 13px }
            td, th { padding: .25em .7em; border-bottom: 1px solid #e5e7eb; text-align: right }
            td:first-child, th:first-child, td:nth-child(2), th:nth-child(2) { text-align: left }
            .met { color: #15803d } .missed { color: #b91c1c } .failed { color: #6b7280 }
            dt { font-weight: 600 } dd { margin: 0 0 .4em } svg text { font-size: 13px }
            .wide { overflow-x: auto }
            """;

    private HtmlReport() {}

    /**
     * The page.
     *
     * @param settings of the run, by name
     * @param descriptions of the workloads, by name
     * @param verdicts on what we want
     */
    static String of(
            Map<String, String> settings,
            Map<String, String> descriptions,
            Results results,
            String ours,
            List<Bar.Verdict> verdicts) {
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<title>metaq bench</title>\n<style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>metaq bench</h1>\n")
                .append("<p>Medians over the rounds; a thin line spans the lowest and the highest.")
                .append(" Longer is faster.</p>\n");
        long met = verdicts.stream().filter(Bar.Verdict::isMet).count();
        if (!verdicts.isEmpty()) {
            page.append("<p>Bars met: " + met + " of " + verdicts.size() + ".</p>\n");
        }
        for (String row : results.names()) {
            page.append("<h3>").append(escaped(row)).append("</h3>\n");
            descriptions.forEach(
                    (name, what) -> {
                        if (Selection.rows(List.of(name)).contains(row)) {
                            page.append("<p class=\"what\">" + escaped(what) + "</p>\n");
                        }
                    });
            page.append(chart(results, row));
            for (String provider : results.providers(row)) {
                String more = Table.ofBacklog(results, row, provider);
                if (!more.isEmpty()) {
                    page.append("<p>" + escaped(provider + ": " + more) + "</p>\n");
                }
            }
            verdicts.stream()
                    .filter(verdict -> verdict.row().equals(row))
                    .forEach(verdict -> page.append(line(verdict)));
        }
        page.append("<h2>All figures</h2>\n<p>Per message, or what is counted. Of rates and their")
                .append(" ratios more is better; of all else less is.</p>\n")
                .append(table(results, ours));
        page.append("<h2>How it was run</h2>\n<dl>\n");
        settings.forEach(
                (name, value) ->
                        page.append("<dt>" + escaped(name) + "</dt><dd>" + escaped(value))
                                .append("</dd>\n"));
        return page.append("</dl>\n</body></html>\n").toString();
    }

    private static String line(Bar.Verdict verdict) {
        return "<p class=\""
                + (verdict.isMet() ? "met\">&#10003; " : "missed\">&#10007; ")
                + escaped(verdict.toString())
                + "</p>\n";
    }

    private static String chart(Results results, String row) {
        List<String> providers = results.providers(row);
        List<String> all = results.providers();
        double most =
                providers.stream()
                        .mapToDouble(provider -> results.spread(row, provider, Metric.RATE).max())
                        .filter(Double::isFinite)
                        .max()
                        .orElse(1);
        int step = BAR_HEIGHT + 6;
        StringBuilder chart = new StringBuilder();
        chart.append(
                String.format(
                        Locale.ROOT,
                        "<div class=\"wide\"><svg role=\"img\" width=\"%d\" height=\"%d\">%n",
                        LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH,
                        providers.size() * step));
        for (int i = 0; i < providers.size(); i++) {
            String provider = providers.get(i);
            Results.Spread rate = results.spread(row, provider, Metric.RATE);
            int top = i * step;
            chart.append(text(0, top, provider));
            if (Double.isNaN(rate.median())) {
                String why = results.failures(row, provider).stream().findFirst().orElse("");
                chart.append(text(LABEL_WIDTH, top, "- " + why));
            } else {
                chart.append(bar(rate, most, top, COLOURS[all.indexOf(provider) % COLOURS.length]));
            }
        }
        return chart.append("</svg></div>\n").toString();
    }

    private static String bar(Results.Spread rate, double most, int top, String colour) {
        double scale = BAR_WIDTH / most;
        int middle = top + BAR_HEIGHT / 2;
        return String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                                + "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\""
                                + " stroke=\"#111827\"/>%n",
                        LABEL_WIDTH,
                        top,
                        rate.median() * scale,
                        BAR_HEIGHT,
                        colour,
                        LABEL_WIDTH + rate.min() * scale,
                        middle,
                        LABEL_WIDTH + rate.max() * scale,
                        middle)
                + text(
                        (int) (LABEL_WIDTH + rate.max() * scale) + 8,
                        top,
                        String.format(
                                Locale.ROOT,
                                "%,.0f/s (%,.0f-%,.0f)",
                                rate.median(),
                                rate.min(),
                                rate.max()));
    }

    private static String text(int x, int top, String text) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\">%s</text>%n",
                x,
                top + BAR_HEIGHT - 5,
                escaped(text));
    }

    private static String table(Results results, String ours) {
        StringBuilder table = new StringBuilder("<div class=\"wide\"><table>\n<tr>");
        for (String head :
                List.of(
                        "workload",
                        "provider",
                        "per second",
                        "rate: ours / this",
                        "p50 ms",
                        "p99 ms",
                        "p99: ours / this",
                        "broker CPU us",
                        "client CPU us",
                        "flushes",
                        "disk B",
                        "broker MB",
                        "others' cores")) {
            table.append("<th>").append(head).append("</th>");
        }
        table.append("</tr>\n");
        for (String row : results.names()) {
            for (String provider : results.providers(row)) {
                boolean isOurs = provider.equals(ours);
                table.append("<tr>")
                        .append(cell(row))
                        .append(cell(provider))
                        .append(median(results, row, provider, Metric.RATE, "%,.0f", 1))
                        .append(ratio(results, row, ours, provider, isOurs, Metric.RATE))
                        .append(median(results, row, provider, Metric.P50_US, "%.2f", 1e-3))
                        .append(median(results, row, provider, Metric.P99_US, "%.2f", 1e-3))
                        .append(ratio(results, row, ours, provider, isOurs, Metric.P99_US))
                        .append(median(results, row, provider, Metric.BROKER_CPU_US, "%.1f", 1))
                        .append(median(results, row, provider, Metric.CLIENT_CPU_US, "%.1f", 1))
                        .append(median(results, row, provider, Metric.FLUSHES, "%.2f", 1))
                        .append(median(results, row, provider, Metric.DISK_BYTES, "%,.0f", 1))
                        .append(median(results, row, provider, Metric.BROKER_RSS_MB, "%.0f", 1))
                        .append(median(results, row, provider, Metric.OTHERS_CORES, "%.1f", 1))
                        .append("</tr>\n");
            }
        }
        return table.append("</table></div>\n").toString();
    }

    private static String ratio(
            Results results,
            String row,
            String ours,
            String provider,
            boolean isOurs,
            Metric metric) {
        return isOurs ? cell("") : number("%.2f", results.ratio(row, ours, provider, metric));
    }

    private static String median(
            Results results,
            String row,
            String provider,
            Metric metric,
            String format,
            double factor) {
        return number(format, results.spread(row, provider, metric).median() * factor);
    }

    private static String number(String format, double value) {
        return cell(Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value));
    }

    private static String cell(String text) {
        return "<td>" + escaped(text) + "</td>";
    }

    /** Text that is no markup. */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
