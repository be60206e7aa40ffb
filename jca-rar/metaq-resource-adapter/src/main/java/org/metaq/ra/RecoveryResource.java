package org.metaq.ra;

import jakarta.jms.JMSException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.metaq.jms.session.RecoveryConnection;
import org.metaq.ra.broker.BrokerAccess;

/**
 * A broker's branches, for a transaction manager that recovers; XAER_RMFAIL while the broker is
 * away. Thread-safe.
 */
final class RecoveryResource implements XAResource {
    private final BrokerAccess access;
    private final RecoveryConnection connection;

    RecoveryResource(BrokerAccess access) {
        this.access = access;
        this.connection = new RecoveryConnection(access.toString(), access::connect);
    }

    /** One that works now. */
    private XAResource live() throws XAException {
        try {
            return connection.live();
        } catch (JMSException e) {
            XAException thrown = new XAException("cannot reach " + access + ": " + e.getMessage());
            thrown.errorCode = XAException.XAER_RMFAIL;
            thrown.initCause(e);
            throw thrown;
        }
    }

    /** From now on it answers XAER_RMFAIL. */
    void close() {
        connection.close();
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
