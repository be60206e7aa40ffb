package org.metaq.client;

import org.jspecify.annotations.Nullable;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;

/**
 * A command failed: the broker refused it, or it is not known whether the broker did it. Immutable.
 */
public final class ClientException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final boolean connectionLost;
    private final int replyStatus;
    private final String replyText;

    ClientException(
            ErrorCode code, boolean connectionLost, String message, @Nullable Throwable cause) {
        this(code, connectionLost, message, cause, 0, "");
    }

    private ClientException(
            ErrorCode code,
            boolean connectionLost,
            String message,
            @Nullable Throwable cause,
            int replyStatus,
            String replyText) {
        super(message, cause);
        this.code = code;
        this.connectionLost = connectionLost;
        this.replyStatus = replyStatus;
        this.replyText = replyText;
    }

    /** An error that was found before anything was sent, or in what the broker answered. */
    public static ClientException of(ErrorCode code, String message) {
        return new ClientException(code, false, message, null);
    }

    /** An error that the broker answered. */
    static ClientException refused(ErrorCode code, String message, Reply.Result reply) {
        return new ClientException(code, false, message, null, reply.status(), reply.text());
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

    /** Status of the broker's reply, which for classic commands says more; 0: there was none. */
    public int replyStatus() {
        return replyStatus;
    }

    /** Text of the broker's reply; empty if there was none. */
    public String replyText() {
        return replyText;
    }

    /** True if the connection is of no more use: lost, closed, or never made. */
    public boolean isConnectionLost() {
        return connectionLost;
    }
}
