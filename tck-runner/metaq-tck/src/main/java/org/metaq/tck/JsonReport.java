package org.metaq.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The summary for programs. Stateless. */
final class JsonReport {
    private JsonReport() {}

    static String of(Summary summary) {
        List<String> facts = new ArrayList<>();
        summary.facts().forEach((name, value) -> facts.add(quoted(name) + ": " + quoted(value)));
        List<String> packages = new ArrayList<>();
        for (Map.Entry<String, Summary.Count> each : summary.byPackage().entrySet()) {
            packages.add(
                    "{\"package\": "
                            + quoted(each.getKey())
                            + ", "
                            + counts(each.getValue())
                            + "}");
        }
        List<String> failures = new ArrayList<>();
        for (TestResult result : summary.notPassed()) {
            failures.add(
                    "{\"test\": "
                            + quoted(result.test().toString())
                            + ", \"status\": "
                            + quoted(result.status().name())
                            + ", \"reason\": "
                            + quoted(result.reason())
                            + "}");
        }
        List<String> excluded = new ArrayList<>();
        summary.excluded()
                .forEach(
                        (test, why) ->
                                excluded.add(
                                        "{\"test\": "
                                                + quoted(test)
                                                + ", \"reason\": "
                                                + quoted(why)
                                                + "}"));
        return "{\n  \"success\": "
                + summary.isSuccess()
                + ",\n  \"partial\": "
                + summary.isPartial()
                + ",\n  "
                + counts(summary.total())
                + ",\n  \"excluded\": "
                + excluded.size()
                + ",\n  \"settings\": "
                + list("{", facts, "}")
                + ",\n  \"packages\": "
                + list("[", packages, "]")
                + ",\n  \"notPassed\": "
                + list("[", failures, "]")
                + ",\n  \"exclusions\": "
                + list("[", excluded, "]")
                + "\n}\n";
    }

    private static String counts(Summary.Count count) {
        return String.format(
                Locale.ROOT,
                "\"tests\": %d, \"passed\": %d, \"failed\": %d, \"errors\": %d, \"timeMs\": %d",
                count.tests(),
                count.passed(),
                count.failed(),
                count.errors(),
                count.timeMs());
    }

    private static String list(String open, List<String> entries, String close) {
        return entries.isEmpty()
                ? open + close
                : open + "\n    " + String.join(",\n    ", entries) + "\n  " + close;
    }

    private static String quoted(String text) {
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
