package org.metaq.tm;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link that a transaction has until it has ended, and all handles that work in it. No call gets
 * through to the link before its branch is started or after it is ended: there, the provider would
 * do it outside of the transaction. A transaction can end while a call is under way, when its
 * timeout ends it in another thread; then the connection is closed, which ends the call, and the
 * branch with it.
 *
 * <p>The calls come from one thread at a time; start, end and outcome of the branch from any.
 */
final class BranchLease extends Lease {
    private static final Logger LOG = LoggerFactory.getLogger(BranchLease.class);

    private final Transactions transactions;
    private final Object transaction;
    private final Set<Handle> handles = ConcurrentHashMap.newKeySet();

    // Guarded by this: from here on the link is another's.
    private boolean isEnded;

    // A call counts itself, then looks whether the branch is started; who ends the branch says so,
    // then looks whether there are calls. So one of both sees the other.
    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean isInBranch;

    // Written by the thread in which the manager starts the branch, read by the one that enlists.
    private volatile @Nullable XAException startFailure;

    BranchLease(Link link, Transactions transactions, Object transaction) {
        super(link);
        this.transactions = transactions;
        this.transaction = transaction;
    }

    /** What the transaction manager drives the branch with. */
    XAResource resource() {
        return new Resource(link().resource());
    }

    /**
     * Why the branch could not be started, which a manager need not tell; null if nothing is known.
     */
    @Nullable XAException startFailure() {
        return startFailure;
    }

    @Override
    boolean isEnlisted() {
        return true;
    }

    @Override
    void enter() throws JMSException {
        CurrentTransaction current = transactions.current();
        if (current == null || !current.key().equals(transaction)) {
            throw new IllegalStateException(
                    "this session or context belongs to "
                            + transaction
                            + ", in which this thread does not work: make one for what it works"
                            + " in");
        }
        if (!tryEnter()) {
            throw new IllegalStateException(
                    transaction + " takes no more work: it is being ended, by its timeout perhaps");
        }
    }

    private boolean tryEnter() {
        calls.incrementAndGet();
        if (isInBranch) {
            return true;
        }
        calls.decrementAndGet();
        return false;
    }

    @Override
    void exit() {
        calls.decrementAndGet();
    }

    /**
     * Starts deliveries, from any thread; does nothing once the transaction has ended. It is no
     * call: it must not disturb the thread that ends the branch meanwhile.
     */
    synchronized void start() throws JMSException {
        if (!isEnded) {
            link().start();
        }
    }

    @Override
    JMSContext newContext(JMSContext beside, int mode) {
        return handle(JMSContext.class, handle -> {}).as(JMSContext.class);
    }

    /**
     * One more handle of the one session or context.
     *
     * @param closing what else its close does
     */
    Handle handle(Class<?> type, Handle.Closing closing) {
        Handle handle =
                new Handle(
                        type,
                        link().enlisted(),
                        this,
                        closed -> {
                            handles.remove(closed);
                            try {
                                closed.closeChildren();
                            } finally {
                                closing.close(closed);
                            }
                        });
        handles.add(handle);
        return handle;
    }

    /** The transaction has ended: makes the link ready for the next. True the first time. */
    boolean end() {
        synchronized (this) {
            if (isEnded) {
                return false;
            }
            isEnded = true;
        }
        isInBranch = false;
        if (calls.get() > 0) {
            link().spend();
            return true;
        }
        for (Handle handle : handles) {
            try {
                handle.closeChildren();
            } catch (JMSException | JMSRuntimeException e) {
                LOG.debug("after {}: {}", transaction, e.getMessage());
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return transaction.toString();
    }

    /** The link's resource, with an eye on where the branch starts and ends. */
    private final class Resource implements EnlistedResource {
        private final XAResource provider;

        Resource(XAResource provider) {
            this.provider = provider;
        }

        @Override
        public XAResource provider() {
            return provider;
        }

        @Override
        public void start(Xid xid, int flags) throws XAException {
            try {
                watched(() -> provider.start(xid, flags));
                isInBranch = true;
            } catch (XAException e) {
                startFailure = e;
                throw e;
            }
        }

        @Override
        public void end(Xid xid, int flags) throws XAException {
            isInBranch = false;
            if (calls.get() > 0) {
                link().close();
                XAException failure =
                        new XAException(
                                transaction
                                        + " ended while a call was under way: its connection was"
                                        + " closed, and with it its branch");
                failure.errorCode = XAException.XA_RBCOMMFAIL;
                throw failure;
            }
            watched(() -> provider.end(xid, flags));
        }

        @Override
        public int prepare(Xid xid) throws XAException {
            int[] vote = new int[1];
            watched(() -> vote[0] = provider.prepare(xid));
            return vote[0];
        }

        @Override
        public void commit(Xid xid, boolean onePhase) throws XAException {
            watched(() -> provider.commit(xid, onePhase));
        }

        @Override
        public void rollback(Xid xid) throws XAException {
            watched(() -> provider.rollback(xid));
        }

        @Override
        public void forget(Xid xid) throws XAException {
            provider.forget(xid);
        }

        @Override
        public Xid[] recover(int flag) throws XAException {
            return provider.recover(flag);
        }

        @Override
        public boolean isSameRM(XAResource other) throws XAException {
            return provider.isSameRM(
                    other instanceof EnlistedResource that ? that.provider() : other);
        }

        @Override
        public boolean setTransactionTimeout(int seconds) throws XAException {
            return provider.setTransactionTimeout(seconds);
        }

        @Override
        public int getTransactionTimeout() throws XAException {
            return provider.getTransactionTimeout();
        }

        /** A session whose branch did not come out well is not used for another. */
        private void watched(XaCall call) throws XAException {
            boolean isDone = false;
            try {
                call.run();
                isDone = true;
            } finally {
                if (!isDone) {
                    link().spend();
                }
            }
        }

        @Override
        public String toString() {
            return provider.toString();
        }
    }

    @FunctionalInterface
    private interface XaCall {
        void run() throws XAException;
    }
}
