package org.metaq.tck;

import java.nio.file.Path;

/**
 * What a run is told. Immutable.
 *
 * @param timeoutMs what the TCK calls jms_timeout: how long a test waits for a message
 * @param shards how many brokers share the work, at least 1
 * @param testLimitMs after which a test counts as stuck
 * @param report directory of the report, absolute
 */
record RunSettings(
        Distribution distribution,
        TckFiles tck,
        int timeoutMs,
        int shards,
        long testLimitMs,
        Path report) {
    /** Name of the user that the TCK logs in as. */
    static final String USER = "j2ee";

    /** The user's password. */
    static final String PASSWORD = "j2ee";

    /** Where tests that do not pass leave what they printed. */
    Path logs() {
        return report.resolve("log");
    }

    /** Where the shards run. */
    Path work() {
        return report.resolve("work");
    }
}
