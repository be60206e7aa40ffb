package org.metaq.tck;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A whole run. Immutable.
 *
 * @param facts what it ran with, by name, in order
 * @param results of all tests that were wanted
 * @param excluded tests that were wanted but not run, with reasons
 * @param isPartial whether the user chose among the tests
 */
record Summary(
        Map<String, String> facts,
        List<TestResult> results,
        Map<String, String> excluded,
        boolean isPartial) {
    Summary {
        results = List.copyOf(results);
    }

    /** Numbers of one package, or of all. */
    static final class Count {
        private int passed;
        private int failed;
        private int errors;
        private long timeMs;

        private void add(TestResult result) {
            switch (result.status()) {
                case PASSED -> passed++;
                case FAILED -> failed++;
                case ERROR -> errors++;
            }
            timeMs += result.timeMs();
        }

        int tests() {
            return passed + failed + errors;
        }

        int passed() {
            return passed;
        }

        int failed() {
            return failed;
        }

        int errors() {
            return errors;
        }

        long timeMs() {
            return timeMs;
        }
    }

    Map<String, Count> byPackage() {
        TreeMap<String, Count> counts = new TreeMap<>();
        for (TestResult result : results) {
            counts.computeIfAbsent(result.test().packageName(), name -> new Count()).add(result);
        }
        return counts;
    }

    Count total() {
        Count total = new Count();
        results.forEach(total::add);
        return total;
    }

    List<TestResult> notPassed() {
        return results.stream().filter(r -> r.status() != TestResult.Status.PASSED).toList();
    }

    /** Whether there were tests, all of them passed, and none was excluded. */
    boolean isSuccess() {
        return !results.isEmpty() && notPassed().isEmpty() && excluded.isEmpty();
    }
}
