package org.metaq.scale;

/** A scenario cannot go on; the message says why, for the terminal. */
final class ScaleException extends Exception {
    private static final long serialVersionUID = 1;

    ScaleException(String message) {
        super(message);
    }
}
