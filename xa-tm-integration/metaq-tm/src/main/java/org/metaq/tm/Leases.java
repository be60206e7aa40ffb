package org.metaq.tm;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;

/**
 * Gives links out of the pool, to transactions or to handles. Thread-safe; the work within one
 * transaction is one thread's at a time.
 */
final class Leases {
    private final LinkPool pool;
    private final Transactions transactions;
    private final boolean isNotEnlistedAllowed;
    private final Map<Place, BranchLease> branches = new ConcurrentHashMap<>();

    private record Place(Object transaction, LinkKey key) {}

    Leases(LinkPool pool, Transactions transactions, boolean isNotEnlistedAllowed) {
        this.pool = pool;
        this.transactions = transactions;
        this.isNotEnlistedAllowed = isNotEnlistedAllowed;
    }

    /**
     * What the thread's transaction works with, enlisted in it; null if it has no transaction.
     *
     * @throws TransactionRolledBackException if nothing new can join it
     * @throws IllegalStateException if it is over
     * @throws JMSException if there is no link, or it could not be enlisted
     */
    @Nullable BranchLease ofTransaction(LinkKey key) throws JMSException {
        CurrentTransaction transaction = transactions.current();
        if (transaction == null) {
            return null;
        }
        CurrentTransaction.State state = transaction.state();
        if (state == CurrentTransaction.State.OVER) {
            throw new IllegalStateException(
                    transaction.key()
                            + " is over, by its timeout perhaps, and this thread still bound to it:"
                            + " commit it or roll it back before new work");
        }
        Place place = new Place(transaction.key(), key);
        BranchLease known = branches.get(place);
        if (known != null) {
            return known;
        }
        if (state == CurrentTransaction.State.ROLLBACK_ONLY) {
            throw new TransactionRolledBackException(
                    transaction.key() + " is marked for rollback: nothing new can join it");
        }
        return enlisted(transaction, place);
    }

    private BranchLease enlisted(CurrentTransaction transaction, Place place) throws JMSException {
        Link link = pool.take(place.key);
        BranchLease lease = new BranchLease(link, transactions, place.transaction);
        branches.put(place, lease);
        Runnable end =
                () -> {
                    if (lease.end()) {
                        branches.remove(place);
                        pool.give(link);
                    }
                };
        boolean isEnlisted = false;
        try {
            transaction.afterCompletion(end);
            transaction.enlist(lease.resource());
            isEnlisted = true;
        } catch (JMSException e) {
            XAException why = lease.startFailure();
            if (why != null && e.getCause() == null) {
                e.initCause(why);
                e.setLinkedException(why);
            }
            throw e;
        } finally {
            if (!isEnlisted) {
                link.spend();
                end.run();
            }
        }
        return lease;
    }

    /** A link for whoever works outside of transactions. */
    OwnLease own(LinkKey key) throws JMSException {
        return new OwnLease(pool.take(key), pool, transactions, isNotEnlistedAllowed);
    }

    /**
     * Makes sure that there is a connection, unless the thread's transaction works with one.
     *
     * @throws JMSException if there is none
     */
    void requireReachable(LinkKey key) throws JMSException {
        CurrentTransaction transaction = transactions.current();
        if (transaction == null || !branches.containsKey(new Place(transaction.key(), key))) {
            pool.give(pool.take(key));
        }
    }
}
