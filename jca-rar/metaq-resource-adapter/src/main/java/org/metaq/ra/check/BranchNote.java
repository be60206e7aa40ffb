package org.metaq.ra.check;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Instant;
import java.util.HexFormat;
import javax.transaction.xa.Xid;

/**
 * A note of a branch that a check has left to the server's recovery. Immutable.
 *
 * @param xid as operators name it: {@code XID:<format>:<global id>:<branch qualifier>:}
 * @param made when
 * @param messageId of the note itself
 */
record BranchNote(String xid, Instant made, String messageId) {
    /** Of Xids of Narayana, which scans for branches every few minutes. */
    private static final String NARAYANA = "XID:131077:";

    /** How a branch is named. */
    static String name(Xid xid) {
        HexFormat hex = HexFormat.of();
        return "XID:"
                + xid.getFormatId()
                + ":"
                + hex.formatHex(xid.getGlobalTransactionId())
                + ":"
                + hex.formatHex(xid.getBranchQualifier())
                + ":";
    }

    /** As it was sent. */
    static BranchNote from(Message message) throws JMSException {
        return new BranchNote(
                message.getBody(String.class),
                Instant.ofEpochMilli(message.getJMSTimestamp()),
                message.getJMSMessageID());
    }

    /** Whether its transaction manager looks for branches while it runs, not at its start only. */
    boolean isScannedFor() {
        return xid.startsWith(NARAYANA);
    }
}
