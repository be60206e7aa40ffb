package org.metaq.store.journal;

/** The journal takes no more just now; nothing was appended. */
public final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With the limit that was met. */
    public BusyException(String message) {
        super(message);
    }
}
