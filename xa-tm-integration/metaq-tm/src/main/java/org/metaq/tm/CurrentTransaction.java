package org.metaq.tm;

import jakarta.jms.JMSException;
import javax.transaction.xa.XAResource;

/** A transaction, as the thread that works in it sees it. Used by that thread only. */
public interface CurrentTransaction {
    /** What a transaction can still do. */
    enum State {
        /** Takes work, and may commit. */
        ACTIVE,
        /** Will be rolled back; nothing new joins it. */
        ROLLBACK_ONLY,
        /** It is being ended, or has ended, by its timeout for example. */
        OVER
    }

    /** What it can still do now. */
    State state() throws JMSException;

    /**
     * Names it: equal, and with the same hash code, for the same transaction and no other, in any
     * thread.
     */
    Object key();

    /**
     * Makes a resource take part. When this returns, the manager has started a branch with it in
     * this thread.
     *
     * @throws jakarta.jms.TransactionRolledBackException if the transaction can only be rolled back
     * @throws JMSException if the resource does not take part for another reason
     */
    void enlist(XAResource resource) throws JMSException;

    /**
     * Has an action run once, after the transaction has ended, whatever its outcome, in whatever
     * thread ends it.
     *
     * @throws jakarta.jms.TransactionRolledBackException if the transaction can only be rolled back
     * @throws JMSException if that cannot be promised for another reason
     */
    void afterCompletion(Runnable action) throws JMSException;
}
