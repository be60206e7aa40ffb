package org.metaq.bench;

/** A run cannot go on; the message says why, for people. */
public final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says why. */
    public BenchException(String message) {
        super(message);
    }

    /** Says why, and what it came of. */
    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
