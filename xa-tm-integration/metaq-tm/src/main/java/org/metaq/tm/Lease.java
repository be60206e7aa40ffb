package org.metaq.tm;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;

/** The use of a link, and who may work with it now. */
abstract class Lease {
    private final Link link;

    Lease(Link link) {
        this.link = link;
    }

    final Link link() {
        return link;
    }

    /** Whether the work belongs to a transaction. */
    abstract boolean isEnlisted();

    /**
     * Before each call of a handle. If it returns, {@link #exit} must follow.
     *
     * @throws jakarta.jms.IllegalStateException if the calling thread must not work with it now
     */
    abstract void enter() throws JMSException;

    /** After the call. */
    abstract void exit();

    /**
     * A context on the same connection.
     *
     * @param beside a context of this lease
     * @param mode its session mode, where there is no transaction
     */
    abstract JMSContext newContext(JMSContext beside, int mode) throws JMSException;
}
