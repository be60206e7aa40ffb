package org.metaq.protocol;

/** Bytes from a peer that are not the protocol: a caller's mistake, nothing was changed. */
public class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With what is wrong and which value shows it. */
    public ProtocolException(String message) {
        super(message);
    }

    /** With what is wrong and what found it. */
    public ProtocolException(String message, Throwable cause) {
        super(message, cause);
    }
}
