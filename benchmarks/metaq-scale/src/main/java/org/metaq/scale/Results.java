package org.metaq.scale;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What all scenarios measured. Immutable.
 *
 * @param settings of the run, by name
 * @param measures by scenario
 * @param failed scenarios that did not run to their end
 */
record Results(
        Map<String, String> settings,
        Map<Scenario, List<Measure>> measures,
        List<Scenario> failed) {
    /** Whether all ran, and kept to their limits. */
    boolean isPassed() {
        return failed.isEmpty()
                && measures.values().stream().flatMap(List::stream).allMatch(Measure::isMet);
    }

    /** For a terminal. */
    String table() {
        StringBuilder table = new StringBuilder();
        measures.forEach(
                (scenario, all) ->
                        all.forEach(
                                measure ->
                                        table.append(
                                                row(
                                                        scenario,
                                                        measure.name(),
                                                        measure.valueText(),
                                                        measure.limitText(),
                                                        verdict(measure)))));
        failed.forEach(scenario -> table.append(row(scenario, "did not end", "", "", "FAILED")));
        return table.toString();
    }

    private static String row(
            Scenario scenario, String name, String value, String limit, String verdict) {
        return String.format(
                        Locale.ROOT,
                        "%-12s %-50s %20s  %-12s %s%n",
                        scenario.word(),
                        name,
                        value,
                        limit,
                        verdict)
                .replaceAll(" +\n", "\n");
    }

    private static String verdict(Measure measure) {
        if (measure.bound() == Measure.Bound.NONE) {
            return "";
        }
        return measure.isMet() ? "ok" : "FAILED";
    }

    /** For programs. */
    String json() {
        String set =
                settings.entrySet().stream()
                        .map(entry -> "    " + pair(entry.getKey(), quoted(entry.getValue())))
                        .collect(Collectors.joining(",\n"));
        String all =
                measures.entrySet().stream()
                        .flatMap(
                                entry ->
                                        entry.getValue().stream()
                                                .map(measure -> json(entry.getKey(), measure)))
                        .collect(Collectors.joining(",\n"));
        String notEnded =
                failed.stream()
                        .map(scenario -> quoted(scenario.word()))
                        .collect(Collectors.joining(", "));
        return "{\n  \"settings\": {\n%s\n  },\n  \"failed\": [%s],\n  \"measures\": [\n%s\n  ]\n}\n"
                .formatted(set, notEnded, all);
    }

    private static String json(Scenario scenario, Measure measure) {
        String fields =
                pair("scenario", quoted(scenario.word()))
                        + ", "
                        + pair("name", quoted(measure.name()))
                        + ", "
                        + pair("value", Double.toString(measure.value()))
                        + ", "
                        + pair("unit", quoted(measure.unit()));
        if (measure.bound() != Measure.Bound.NONE) {
            fields +=
                    ", "
                            + pair("bound", quoted(measure.bound().name()))
                            + ", "
                            + pair("limit", Double.toString(measure.limit()))
                            + ", "
                            + pair("met", Boolean.toString(measure.isMet()));
        }
        return "    {" + fields + "}";
    }

    private static String pair(String name, String value) {
        return quoted(name) + ": " + value;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
