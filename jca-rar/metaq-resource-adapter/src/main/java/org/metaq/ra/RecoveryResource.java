package org.metaq.ra;

import jakarta.jms.JMSException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.MetaQXAConnection;
import org.metaq.ra.broker.BrokerAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker's branches, for a transaction manager that recovers: over a connection of its own, which
 * is opened when it is first needed, kept, and opened again after the broker was away.
 *
 * <p>Thread-safe: its own monitor, held while connecting.
 */
final class RecoveryResource implements XAResource {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryResource.class);

    private final BrokerAccess access;

    // Guarded by this.
    private @Nullable MetaQXAConnection connection;
    private @Nullable XAResource session;
    private boolean isAway;
    private boolean isClosed;

    RecoveryResource(BrokerAccess access) {
        this.access = access;
    }

    /** One that works now. */
    private synchronized XAResource live() throws XAException {
        if (isClosed) {
            throw away("the resource adapter is stopped", null);
        }
        XAResource current = session;
        if (current != null && connection != null && connection.isConnected()) {
            return current;
        }
        disconnect();
        try {
            MetaQXAConnection opened = access.connect();
            connection = opened;
            current = opened.createXASession().getXAResource();
            session = current;
        } catch (JMSException e) {
            disconnect();
            if (!isAway) {
                // Once for each outage: scans come every few seconds.
                LOG.warn("recovery cannot reach {}: {}", access, e.getMessage());
                isAway = true;
            }
            throw away("cannot reach " + access + ": " + e.getMessage(), e);
        }
        if (isAway) {
            LOG.info("recovery reaches {} again", access);
            isAway = false;
        }
        return current;
    }

    private static XAException away(String why, @Nullable Throwable cause) {
        XAException thrown = new XAException(why);
        thrown.errorCode = XAException.XAER_RMFAIL;
        thrown.initCause(cause);
        return thrown;
    }

    private void disconnect() {
        MetaQXAConnection closed = connection;
        connection = null;
        session = null;
        if (closed == null) {
            return;
        }
        try {
            closed.close();
        } catch (JMSException e) {
            LOG.debug("closing the recovery connection to {}: {}", access, e.getMessage());
        }
    }

    /** From now on it answers XAER_RMFAIL. */
    synchronized void close() {
        isClosed = true;
        disconnect();
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return live().recover(flag);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        live().commit(xid, onePhase);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        live().rollback(xid);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        live().forget(xid);
    }

    /** False while the broker cannot be reached: nobody knows. */
    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        if (other == this) {
            return true;
        }
        XAResource own = live();
        return own.isSameRM(other instanceof RecoveryResource that ? that.live() : other);
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        throw onlyForRecovery("start");
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        throw onlyForRecovery("end");
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        throw onlyForRecovery("prepare");
    }

    private static XAException onlyForRecovery(String what) {
        XAException thrown = new XAException(what + ": this resource is for recovery only");
        thrown.errorCode = XAException.XAER_PROTO;
        return thrown;
    }

    /** It starts no branch that could run out of time. */
    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return live().getTransactionTimeout();
    }

    @Override
    public String toString() {
        return "RecoveryResource[" + access + "]";
    }
}
