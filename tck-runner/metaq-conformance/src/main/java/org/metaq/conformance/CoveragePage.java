package org.metaq.conformance;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.metaq.conformance.TestResult.Outcome;

/**
 * The report: a line for each clause, with what it demands and the tests that prove it.
 *
 * @param provider name of who was tested
 * @param clauses in the order of the page
 * @param results of all tests with a {@link Spec}
 */
record CoveragePage(String provider, List<Clause> clauses, List<TestResult> results) {
    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Conformance of %1$s</title>
            <style>
            body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 70em; color: #222; }
            table { border-collapse: collapse; width: 100%%; }
            td, th { border-top: 1px solid #ccc; padding: .4em .6em; text-align: left; vertical-align: top; }
            ul { margin: 0; padding-left: 1.1em; }
            .passed { color: #176617; } .failed { color: #b00; font-weight: bold; }
            .skipped { color: #777; } .difference { color: #96580a; }
            .reason { color: #555; font-size: 90%%; white-space: pre-wrap; }
            </style></head><body>
            <h1>Jakarta Messaging 3.1, clause by clause: %1$s</h1>
            """;

    /** The page. */
    String html() {
        StringBuilder page = new StringBuilder(HEAD.formatted(escaped(provider)));
        page.append("<p>").append(summary()).append("</p>\n");
        page.append("<table><tr><th>Clause</th><th>Demand</th><th>Tests</th></tr>\n");
        clauses.forEach(clause -> page.append(row(clause)));
        return page.append("</table>\n</body></html>\n").toString();
    }

    private String summary() {
        long tested = clauses.stream().filter(clause -> !testsOf(clause).isEmpty()).count();
        long untested = clauses.stream().filter(c -> !c.whyUntested().isEmpty()).count();
        int invocations = results.stream().mapToInt(TestResult::invocations).sum();
        return clauses.size()
                + " clauses: "
                + tested
                + " with tests, "
                + untested
                + " that need none, "
                + (clauses.size() - tested - untested)
                + " without. "
                + results.size()
                + " tests, "
                + invocations
                + " with all their parameters: "
                + Arrays.stream(Outcome.values())
                        .map(outcome -> count(outcome) + " " + lowerCase(outcome))
                        .collect(Collectors.joining(", "))
                + ".";
    }

    private long count(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }

    private List<TestResult> testsOf(Clause clause) {
        return results.stream().filter(r -> r.clauses().contains(clause.number())).toList();
    }

    private String row(Clause clause) {
        List<TestResult> tests = testsOf(clause);
        String cell;
        if (!tests.isEmpty()) {
            cell =
                    tests.stream()
                            .map(CoveragePage::item)
                            .collect(Collectors.joining("", "<ul>", "</ul>"));
        } else if (!clause.whyUntested().isEmpty()) {
            cell = "<span class=\"skipped\">" + escaped(clause.whyUntested()) + "</span>";
        } else {
            cell = "<span class=\"failed\">no test ran</span>";
        }
        return "<tr id=\"%1$s\"><td>%1$s %2$s</td><td>%3$s</td><td>%4$s</td></tr>%n"
                .formatted(
                        clause.number(), escaped(clause.title()), escaped(clause.demand()), cell);
    }

    private static String item(TestResult test) {
        String times = test.invocations() == 1 ? "" : " ×" + test.invocations();
        String reasons =
                test.reasons().stream()
                        .map(r -> "<div class=\"reason\">" + escaped(r) + "</div>")
                        .collect(Collectors.joining());
        return "<li class=\"%1$s\">%2$s.%3$s%4$s: %1$s%5$s</li>"
                .formatted(
                        lowerCase(test.outcome()), test.testClass(), test.method(), times, reasons);
    }

    private static String lowerCase(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
