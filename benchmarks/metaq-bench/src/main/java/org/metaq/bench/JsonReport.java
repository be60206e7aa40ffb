package org.metaq.bench;

import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results for programs: every round, and what it ran with. Stateless. */
final class JsonReport {
    private JsonReport() {}

    /**
     * The report.
     *
     * @param settings of the run, by name
     */
    static String of(Map<String, String> settings, Results results) {
        StringBuilder json = new StringBuilder("{\n  \"settings\": {");
        Iterator<Map.Entry<String, String>> entries = settings.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, String> entry = entries.next();
            json.append("\n    ")
                    .append(quoted(entry.getKey()))
                    .append(": ")
                    .append(quoted(entry.getValue()))
                    .append(entries.hasNext() ? "," : "");
        }
        json.append("\n  },\n  \"rounds\": [");
        String separator = "";
        for (String name : results.names()) {
            for (String provider : results.providers(name)) {
                List<Measurement> rounds = results.rounds(name, provider);
                for (int i = 0; i < rounds.size(); i++) {
                    json.append(separator)
                            .append("\n    ")
                            .append(round(name, provider, i + 1, rounds.get(i)));
                    separator = ",";
                }
                for (String why : results.failures(name, provider)) {
                    json.append(separator).append("\n    ").append(failure(name, provider, why));
                    separator = ",";
                }
            }
        }
        return json.append("\n  ]\n}\n").toString();
    }

    private static String round(String name, String provider, int number, Measurement round) {
        StringBuilder json =
                new StringBuilder("{\"workload\": ")
                        .append(quoted(name))
                        .append(", \"provider\": ")
                        .append(quoted(provider))
                        .append(", \"round\": ")
                        .append(number);
        if (!round.values().isEmpty()) {
            // in the order of the metrics
            new EnumMap<>(round.values())
                    .forEach(
                            (metric, value) ->
                                    json.append(", ")
                                            .append(quoted(metric.key()))
                                            .append(": ")
                                            .append(String.format(Locale.ROOT, "%.3f", value)));
        }
        return json.append('}').toString();
    }

    private static String failure(String name, String provider, String why) {
        return "{\"workload\": "
                + quoted(name)
                + ", \"provider\": "
                + quoted(provider)
                + ", \"failed\": "
                + quoted(why)
                + '}';
    }

    /** A JSON string. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
