package org.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** How a session acknowledges what it delivers (Jakarta Messaging 3.1 §6.2.10). */
enum AcknowledgeMode {
    /** Each message once it was handed over, or its listener returned. */
    AUTO(Session.AUTO_ACKNOWLEDGE),
    /** As {@link #AUTO}, later and together. */
    DUPS_OK(Session.DUPS_OK_ACKNOWLEDGE),
    /** When the application acknowledges: all that the session delivered. */
    CLIENT(Session.CLIENT_ACKNOWLEDGE),
    /** With the commit of the session's transaction. */
    TRANSACTED(Session.SESSION_TRANSACTED),
    /** With the branch that the session works in; outside of one as {@link #AUTO}. */
    XA(Session.SESSION_TRANSACTED);

    private final int code;

    AcknowledgeMode(int code) {
        this.code = code;
    }

    /** Its constant in {@link Session}. */
    int code() {
        return code;
    }

    boolean isTransacted() {
        return this == TRANSACTED || this == XA;
    }

    /**
     * The mode of a constant.
     *
     * @param orTransacted whether SESSION_TRANSACTED is one
     * @throws JMSException if it is no mode
     */
    static AcknowledgeMode ofCode(int code, boolean orTransacted) throws JMSException {
        switch (code) {
            case Session.AUTO_ACKNOWLEDGE:
                return AUTO;
            case Session.DUPS_OK_ACKNOWLEDGE:
                return DUPS_OK;
            case Session.CLIENT_ACKNOWLEDGE:
                return CLIENT;
            case Session.SESSION_TRANSACTED:
                if (orTransacted) {
                    return TRANSACTED;
                }
                throw new JMSException(
                        "a session that is not transacted cannot have the mode"
                                + " SESSION_TRANSACTED");
            default:
                throw new JMSException("no session mode has the number " + code);
        }
    }
}
