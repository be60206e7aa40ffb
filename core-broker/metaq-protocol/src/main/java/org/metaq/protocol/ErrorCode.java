package org.metaq.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The registry of errors: what a broker may answer, and what a JMS or XA caller gets for it.
 *
 * <p>On the wire an error is {@code result <status> <length> <opaque>} with the text {@code <NAME>
 * <message>}; the name is the constant's.
 */
public enum ErrorCode {
    /** The command, an argument or its body is not valid. */
    BAD_REQUEST(400, "JMSException", -5),
    /** The selector does not parse. */
    INVALID_SELECTOR(400, "InvalidSelectorException", -5),
    /** User or password is wrong, or the command needs an open session. */
    UNAUTHORIZED(401, "JMSSecurityException", -3),
    /** The partition or the destination is closed to this operation. */
    FORBIDDEN(403, "JMSException", -3),
    /** No such destination, and it may not be created. */
    NO_SUCH_DESTINATION(404, "InvalidDestinationException", -3),
    /** No such subscription. */
    NO_SUCH_SUBSCRIPTION(404, "InvalidDestinationException", -3),
    /** No such consumer on this connection. */
    NO_SUCH_CONSUMER(404, "IllegalStateException", -3),
    /** Another open connection has this client id. */
    CLIENT_ID_IN_USE(409, "InvalidClientIDException", -3),
    /** The subscription has an active consumer that does not let this happen. */
    SUBSCRIPTION_IN_USE(409, "IllegalStateException", -3),
    /** A subscription of this name is active with another topic, selector or sharing. */
    SUBSCRIPTION_MISMATCH(409, "IllegalStateException", -3),
    /** The destination has consumers. */
    DESTINATION_IN_USE(409, "IllegalStateException", -3),
    /** The message is not held by this connection: it was acknowledged or released before. */
    NOT_ACQUIRED(409, "IllegalStateException", -3),
    /** The message exceeds {@code maxMessageSize}. */
    MESSAGE_TOO_LARGE(413, "JMSException", -3),
    /** The transaction exceeds {@code maxTransactionSize}; it can only be rolled back. */
    TRANSACTION_TOO_LARGE(413, "JMSException", 104),
    /** The broker failed inside; its log says how. */
    INTERNAL(500, "JMSException", -3),
    /** X/Open XA: the branch is not known. */
    XAER_NOTA(500, "IllegalStateException", -4),
    /** X/Open XA: an argument is not valid. */
    XAER_INVAL(500, "IllegalStateException", -5),
    /** X/Open XA: the call is not allowed in the branch's state. */
    XAER_PROTO(500, "IllegalStateException", -6),
    /** X/Open XA: a branch of this Xid exists. */
    XAER_DUPID(500, "IllegalStateException", -8),
    /** X/Open XA: the branch was rolled back, cause not given. */
    XA_RBROLLBACK(500, "TransactionRolledBackException", 100),
    /** X/Open XA: the branch was rolled back because it ran too long. */
    XA_RBTIMEOUT(500, "TransactionRolledBackException", 106),
    /** X/Open XA: committed by hand. */
    XA_HEURCOM(500, "JMSException", 7),
    /** X/Open XA: rolled back by hand. */
    XA_HEURRB(500, "TransactionRolledBackException", 6),
    /** The broker takes no more work just now; nothing was done, try again. */
    BUSY(503, "ResourceAllocationException", -7),
    /** No connection to a broker, nothing was sent; a client says it, never a broker. */
    CONNECTION_LOST(503, "JMSException", -7),
    /** Not known whether it was done; repeat under the same producer sequence or branch. */
    UNKNOWN_OUTCOME(504, "JMSException", -7),
    /** The disk is (nearly) full; nothing was done. */
    DISK_FULL(507, "ResourceAllocationException", -3);

    private final int status;
    private final String jmsException;
    private final int xaCode;

    ErrorCode(int status, String jmsException, int xaCode) {
        this.status = status;
        this.jmsException = jmsException;
        this.xaCode = xaCode;
    }

    /** Number in the reply line, 400..599; several errors share one. */
    public int status() {
        return status;
    }

    /** Simple name of the {@code jakarta.jms} exception that a JMS caller gets. */
    public String jmsException() {
        return jmsException;
    }

    /** {@code errorCode} of the {@code XAException} that an XA caller gets. */
    public int xaCode() {
        return xaCode;
    }

    /** The error whose name starts this reply text, or null for text of a classic reply. */
    public static @Nullable ErrorCode ofReplyText(String text) {
        int end = text.indexOf(' ');
        String name = end < 0 ? text : text.substring(0, end);
        for (ErrorCode code : values()) {
            if (code.name().equals(name)) {
                return code;
            }
        }
        return null;
    }
}
