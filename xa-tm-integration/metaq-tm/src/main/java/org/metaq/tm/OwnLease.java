package org.metaq.tm;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A link that handles have for themselves, outside of transactions; it goes back with the last of
 * them. Thread-safe.
 */
final class OwnLease extends Lease {
    private final LinkPool pool;
    private final Transactions transactions;
    private final boolean isAllowedInTransactions;
    private final AtomicInteger users = new AtomicInteger(1);

    OwnLease(Link link, LinkPool pool, Transactions transactions, boolean isAllowedInTransactions) {
        super(link);
        this.pool = pool;
        this.transactions = transactions;
        this.isAllowedInTransactions = isAllowedInTransactions;
    }

    @Override
    boolean isEnlisted() {
        return false;
    }

    @Override
    void enter() throws JMSException {
        if (!isAllowedInTransactions && transactions.current() != null) {
            throw new IllegalStateException(
                    "this thread works in a transaction, of which this session or context is no"
                            + " part, because it was made outside of it: make one within the"
                            + " transaction, or, if its work shall not depend on the outcome,"
                            + " build the connection factory with allowNotEnlisted()");
        }
    }

    @Override
    void exit() {
        // Nobody counts: nothing ends the lease but its users.
    }

    @Override
    JMSContext newContext(JMSContext beside, int mode) {
        users.incrementAndGet();
        JMSContext created = null;
        try {
            created = beside.createContext(mode);
            return contextHandle(created);
        } finally {
            if (created == null) {
                release();
            }
        }
    }

    /** The handle of a context, which is one user. */
    JMSContext contextHandle(JMSContext context) {
        Handle handle = new Handle(JMSContext.class, context, this, closed -> close(context));
        return handle.as(JMSContext.class);
    }

    private void close(JMSContext context) {
        boolean isRefused = false;
        try {
            context.close();
        } catch (IllegalStateRuntimeException e) {
            // By its own listener: it is still open.
            isRefused = true;
            throw e;
        } finally {
            if (!isRefused) {
                release();
            }
        }
    }

    /** One user less. */
    void release() {
        if (users.decrementAndGet() == 0) {
            pool.give(link());
        }
    }

    @Override
    public String toString() {
        return "no transaction";
    }
}
