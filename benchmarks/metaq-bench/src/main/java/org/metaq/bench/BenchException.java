package org.metaq.bench;

/** The comparison cannot go on; the message says why, for people. */
final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    BenchException(String message) {
        super(message);
    }

    BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
