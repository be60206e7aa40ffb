package org.metaq.sim;

import org.jspecify.annotations.Nullable;

/** The broker broke a promise to its clients. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the promise and what was seen instead. */
    Violation(String message) {
        super(message);
    }

    /** With what the broker threw. */
    Violation(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
