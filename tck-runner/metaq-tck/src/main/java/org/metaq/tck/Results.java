package org.metaq.tck;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Collects how tests end, and tells it while it happens. Thread-safe: its methods exclude each
 * other.
 */
final class Results {
    private static final int LOG_LINES_SHOWN = 20;

    private final PrintStream out;
    private final Path logs;
    private final int classCount;
    private final TreeMap<TestId, TestResult> results = new TreeMap<>();
    private int classesEnded;

    /**
     * Without results yet.
     *
     * @param out where progress is told
     * @param logs directory of what tests printed
     * @param classCount how many classes are to be run
     */
    Results(PrintStream out, Path logs, int classCount) {
        this.out = out;
        this.logs = logs;
        this.classCount = classCount;
    }

    synchronized void add(TestResult result) {
        results.put(result.test(), result);
        if (result.status() != TestResult.Status.PASSED) {
            out.println(result.status() + " " + result.test() + ": " + result.reason());
            printLog(result.test());
        }
    }

    private void printLog(TestId test) {
        Path log = TestLog.file(logs, test);
        if (!Files.exists(log)) {
            return;
        }
        try {
            List<String> lines = Files.readAllLines(log);
            out.println("    the end of " + log + ":");
            lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size())
                    .forEach(line -> out.println("    | " + line));
        } catch (IOException e) {
            out.println("    its log cannot be read: " + e);
        }
    }

    synchronized void classEnded(TestClass ended) {
        classesEnded++;
        long timeMs = 0;
        int passed = 0;
        for (TestId test : ended.tests()) {
            TestResult result = results.get(test);
            if (result != null) {
                timeMs += result.timeMs();
                passed += result.status() == TestResult.Status.PASSED ? 1 : 0;
            }
        }
        out.println(
                String.format(
                        Locale.ROOT,
                        "[%d/%d] %s: %d of %d passed, %.1f s",
                        classesEnded,
                        classCount,
                        TestId.packageOf(ended.name()),
                        passed,
                        ended.methods().size(),
                        timeMs / 1000.0));
    }

    synchronized void note(String text) {
        out.println(text);
    }

    /** All so far, in the order of their names. */
    synchronized List<TestResult> all() {
        return List.copyOf(results.values());
    }
}
