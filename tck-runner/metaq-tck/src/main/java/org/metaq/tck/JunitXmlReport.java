package org.metaq.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results as files that build servers read: a {@code TEST-<class>.xml} per class. Stateless.
 */
final class JunitXmlReport {
    private static final double MS_PER_S = 1000.0;

    private JunitXmlReport() {}

    /**
     * Writes the files.
     *
     * @param directory where; made if it does not exist
     */
    static void write(Summary summary, Path directory) throws IOException {
        Map<String, List<TestResult>> byClass = new TreeMap<>();
        for (TestResult result : summary.results()) {
            byClass.computeIfAbsent(result.test().className(), name -> new ArrayList<>())
                    .add(result);
        }
        Files.createDirectories(directory);
        for (Map.Entry<String, List<TestResult>> each : byClass.entrySet()) {
            Files.writeString(
                    directory.resolve("TEST-" + each.getKey() + ".xml"),
                    suite(each.getKey(), each.getValue()));
        }
    }

    private static String suite(String name, List<TestResult> results) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<testsuite name=\"" + escaped(name) + "\"");
        xml.append(" tests=\"" + results.size() + "\"");
        xml.append(" failures=\"" + count(results, TestResult.Status.FAILED) + "\"");
        xml.append(" errors=\"" + count(results, TestResult.Status.ERROR) + "\" skipped=\"0\"");
        long timeMs = results.stream().mapToLong(TestResult::timeMs).sum();
        xml.append(" time=\"" + timeMs / MS_PER_S + "\">\n");
        results.forEach(result -> xml.append(test(result)));
        return xml.append("</testsuite>\n").toString();
    }

    private static long count(List<TestResult> results, TestResult.Status status) {
        return results.stream().filter(result -> result.status() == status).count();
    }

    private static String test(TestResult result) {
        String start =
                "  <testcase classname=\""
                        + escaped(result.test().className())
                        + "\" name=\""
                        + escaped(result.test().method())
                        + "\" time=\""
                        + result.timeMs() / MS_PER_S
                        + "\"";
        if (result.status() == TestResult.Status.PASSED) {
            return start + "/>\n";
        }
        String element = result.status() == TestResult.Status.FAILED ? "failure" : "error";
        return start
                + ">\n    <"
                + element
                + " message=\""
                + escaped(result.reason())
                + "\">"
                + escaped(result.trace())
                + "</"
                + element
                + ">\n  </testcase>\n";
    }

    /** Also drops what XML cannot hold. */
    private static String escaped(String text) {
        return text.replaceAll("[^\\t\\n\\x20-\\uD7FF\\uE000-\\uFFFD]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
