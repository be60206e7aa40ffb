package org.metaq.ra.inbound;

import java.util.function.BooleanSupplier;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.EndpointSession;
import org.metaq.ra.broker.PatientCommit;

/**
 * The resource of an endpoint session as the container's transaction manager sees it. It learns
 * what became of the delivery's branch, and says how the message is given back. What it knows is of
 * one delivery: from {@link #begin} to the next.
 *
 * <p>Thread-safe: transaction managers roll back on threads of their own when time is up. Guarded
 * by itself, not while it calls.
 */
final class EndpointResource implements XAResource {
    private final EndpointSession session;
    private final XAResource resource;
    private final BooleanSupplier isCounted;
    private final PatientCommit commit = new PatientCommit();

    private @Nullable Throwable failure;
    private boolean isTaken;
    private boolean isRolledBack;
    private boolean isBrokerLost;
    private boolean hasTimeout;

    /**
     * The resource of a session.
     *
     * @param isCounted whether a message that is given back now comes nearer to being a dead letter
     */
    EndpointResource(EndpointSession session, BooleanSupplier isCounted) {
        this.session = session;
        this.resource = session.xaResource();
        this.isCounted = isCounted;
    }

    // ---- for the delivery

    /** Another message is about to be delivered. Forgets all, a time-out as well. */
    void begin() throws XAException {
        boolean resets;
        synchronized (this) {
            failure = null;
            isTaken = false;
            isRolledBack = false;
            isBrokerLost = false;
            resets = hasTimeout;
            hasTimeout = false;
        }
        if (resets) {
            resource.setTransactionTimeout(0);
        }
    }

    /** The endpoint threw this: whatever the container makes of it, the branch is rolled back. */
    synchronized void failed(Throwable thrown) {
        failure = thrown;
    }

    /** Whether a branch took in the message. */
    synchronized boolean isTaken() {
        return isTaken;
    }

    /** Whether the branch is known to be rolled back. */
    synchronized boolean isRolledBack() {
        return isRolledBack;
    }

    /** Whether it was the connection to the broker that failed. */
    synchronized boolean isBrokerLost() {
        return isBrokerLost;
    }

    private synchronized @Nullable Throwable failure() {
        return failure;
    }

    private XAException noted(XAException e) {
        synchronized (this) {
            isRolledBack |=
                    e.errorCode >= XAException.XA_RBBASE && e.errorCode <= XAException.XA_RBEND;
            isBrokerLost |=
                    e.errorCode == XAException.XAER_RMFAIL
                            || e.errorCode == XAException.XA_RETRY
                            || e.errorCode == XAException.XA_RBCOMMFAIL;
        }
        return e;
    }

    private void sayHowItComesBack() {
        Throwable thrown = failure();
        session.rollingBack(
                thrown == null ? "the transaction was rolled back" : Reason.of(thrown),
                isCounted.getAsBoolean());
    }

    // ---- for the transaction manager

    @Override
    public void start(Xid xid, int flags) throws XAException {
        try {
            resource.start(xid, flags);
        } catch (XAException e) {
            throw noted(e);
        }
        synchronized (this) {
            isTaken = true;
        }
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        sayHowItComesBack();
        try {
            resource.end(xid, failure() != null && flags == TMSUCCESS ? TMFAIL : flags);
        } catch (XAException e) {
            throw noted(e);
        }
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        try {
            return resource.prepare(xid);
        } catch (XAException e) {
            throw noted(e);
        }
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        try {
            commit.commit(resource, xid, onePhase);
        } catch (XAException e) {
            throw noted(e);
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        sayHowItComesBack();
        synchronized (this) {
            isRolledBack = true;
        }
        try {
            resource.rollback(xid);
        } catch (XAException e) {
            throw noted(e);
        }
    }

    @Override
    public void forget(Xid xid) throws XAException {
        resource.forget(xid);
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return resource.recover(flag);
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return resource.isSameRM(other instanceof EndpointResource that ? that.resource : other);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return resource.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        synchronized (this) {
            hasTimeout = true;
        }
        return resource.setTransactionTimeout(seconds);
    }

    @Override
    public String toString() {
        return "EndpointResource[" + resource + "]";
    }
}
