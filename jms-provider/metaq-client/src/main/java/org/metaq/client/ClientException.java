package org.metaq.client;

import org.jspecify.annotations.Nullable;
import org.metaq.protocol.ErrorCode;

/**
 * A command failed: the broker refused it, or it is not known whether the broker did it. Immutable.
 */
public final class ClientException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final boolean connectionLost;

    ClientException(
            ErrorCode code, boolean connectionLost, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.connectionLost = connectionLost;
    }

    /** An error that the broker answered, or that was found before anything was sent. */
    static ClientException of(ErrorCode code, String message) {
        return new ClientException(code, false, message, null);
    }

    /** The connection is gone (or never was) and the command was not sent. */
    static ClientException notConnected(String message, @Nullable Throwable cause) {
        return new ClientException(ErrorCode.CONNECTION_LOST, true, message, cause);
    }

    /** The connection went while a reply was awaited. */
    static ClientException lostInFlight(String message, @Nullable Throwable cause) {
        return new ClientException(ErrorCode.UNKNOWN_OUTCOME, true, message, cause);
    }

    /** No reply was seen, but the connection lives. */
    static ClientException unknownOutcome(String message, @Nullable Throwable cause) {
        return new ClientException(ErrorCode.UNKNOWN_OUTCOME, false, message, cause);
    }

    /**
     * What went wrong; for a lost connection {@link ErrorCode#UNKNOWN_OUTCOME} if the command had
     * been sent, {@link ErrorCode#CONNECTION_LOST} if not.
     */
    public ErrorCode code() {
        return code;
    }

    /**
     * True if the broker may or may not have done it (lost connection, time-out, interrupt, or the
     * broker does not know either): repeat under the same producer sequence or branch, or give up.
     * False: nothing was done.
     */
    public boolean isOutcomeUnknown() {
        return code == ErrorCode.UNKNOWN_OUTCOME;
    }

    /** True if the connection is of no more use: lost, closed, or never made. */
    public boolean isConnectionLost() {
        return connectionLost;
    }
}
