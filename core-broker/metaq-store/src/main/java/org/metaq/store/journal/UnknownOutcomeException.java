package org.metaq.store.journal;

/** Leadership or the journal was lost: whether the batch counts is not known. */
public final class UnknownOutcomeException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With what was lost. */
    public UnknownOutcomeException(String message) {
        super(message);
    }
}
