package org.metaq.tck;

/**
 * How a test ended. Immutable.
 *
 * @param timeMs how long it took, in milliseconds
 * @param reason one line, empty if it passed
 * @param trace stack trace, empty if there is none
 */
record TestResult(TestId test, Status status, long timeMs, String reason, String trace) {
    /** Ways to end. */
    enum Status {
        /** As the TCK wants it. */
        PASSED,
        /** The test said so, or its set-up or cleanup. */
        FAILED,
        /** It did not end in its time, its JVM died, or it was not run though it should. */
        ERROR
    }

    static TestResult error(TestId test, long timeMs, String reason) {
        return new TestResult(test, Status.ERROR, timeMs, reason, "");
    }
}
