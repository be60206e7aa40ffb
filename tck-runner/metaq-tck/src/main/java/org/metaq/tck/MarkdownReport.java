package org.metaq.tck;

import java.util.Locale;
import java.util.Map;

/** The summary for people: a table per package. Stateless. */
final class MarkdownReport {
    private static final double MS_PER_S = 1000.0;

    private MarkdownReport() {}

    static String of(Summary summary) {
        StringBuilder text = new StringBuilder();
        summary.facts().forEach((name, value) -> text.append("* " + name + ": " + value + "\n"));
        if (summary.isPartial()) {
            text.append("* not the whole TCK: the tests were chosen with --include\n");
        }
        text.append("\n| package | tests | passed | failed | errors | seconds |\n");
        text.append("|---|--:|--:|--:|--:|--:|\n");
        for (Map.Entry<String, Summary.Count> each : summary.byPackage().entrySet()) {
            text.append(row(each.getKey(), each.getValue()));
        }
        text.append(row("**all**", summary.total()));
        if (!summary.excluded().isEmpty()) {
            text.append("\nExcluded:\n\n");
            summary.excluded().forEach((test, why) -> text.append("* " + test + ": " + why + "\n"));
        }
        if (!summary.notPassed().isEmpty()) {
            text.append("\nNot passed:\n\n");
            for (TestResult result : summary.notPassed()) {
                text.append(
                        "* "
                                + result.status()
                                + " "
                                + result.test()
                                + ": "
                                + result.reason()
                                + "\n");
            }
        }
        return text.toString();
    }

    private static String row(String name, Summary.Count count) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %.1f |%n",
                name,
                count.tests(),
                count.passed(),
                count.failed(),
                count.errors(),
                count.timeMs() / MS_PER_S);
    }
}
