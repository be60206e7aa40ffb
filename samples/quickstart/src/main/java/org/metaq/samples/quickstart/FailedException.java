package org.metaq.samples.quickstart;

import org.jspecify.annotations.Nullable;

/** The quickstart cannot go on; the message tells the user why. */
final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    FailedException(String message) {
        this(message, null);
    }

    FailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
