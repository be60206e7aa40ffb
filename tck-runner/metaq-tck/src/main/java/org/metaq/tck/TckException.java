package org.metaq.tck;

/** The run cannot go on; the text says why, for the user. */
final class TckException extends Exception {
    private static final long serialVersionUID = 1;

    TckException(String message) {
        super(message);
    }

    TckException(String message, Throwable cause) {
        super(message, cause);
    }
}
