package org.metaq.crash;

import java.util.Locale;

/** What the worker is ordered to do when a process is killed or a connection is cut. */
enum Order {
    /** A transaction over broker and database. */
    COMMIT,
    /** The same, rolled back. */
    ROLLBACK,
    /** A transaction over the broker alone. */
    ONE_PHASE,
    /** Recovery of a transaction whose commit did not reach the broker. */
    RECOVER,
    /** The same, after an operator has committed the branch by hand. */
    FORGET;

    /** What the worker knows it as. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether there is an unfinished transaction before. */
    boolean isRecovery() {
        return this == RECOVER || this == FORGET;
    }
}
