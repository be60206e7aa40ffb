package org.metaq.conformance;

import java.util.List;

/**
 * How one test ended, all invocations of a parameterized one together.
 *
 * @param clauses numbers of the clauses it proves
 * @param testClass simple name of its class
 * @param method its name
 * @param outcome the worst of its invocations
 * @param invocations how many there were
 * @param reasons why it failed or was not run, a line for each invocation that says so
 */
record TestResult(
        List<String> clauses,
        String testClass,
        String method,
        Outcome outcome,
        int invocations,
        List<String> reasons) {
    /** How a test ended, from good to bad. */
    enum Outcome {
        /** It holds. */
        PASSED,
        /** Not run: the provider does not have what it needs. */
        SKIPPED,
        /** It fails, which is known and explained. */
        DIFFERENCE,
        /** It fails. */
        FAILED;

        Outcome worse(Outcome other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }
}
