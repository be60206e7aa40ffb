package org.metaq.jms.it;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A resource as pools and containers wrap it: passes on all, and unwraps its own kind. */
class WrappedResource implements XAResource {
    private final XAResource wrapped;

    WrappedResource(XAResource wrapped) {
        this.wrapped = wrapped;
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        wrapped.start(xid, flags);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        wrapped.end(xid, flags);
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        return wrapped.prepare(xid);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        wrapped.commit(xid, onePhase);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        wrapped.rollback(xid);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        wrapped.forget(xid);
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return wrapped.recover(flag);
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return wrapped.isSameRM(other instanceof WrappedResource that ? that.wrapped : other);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return wrapped.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return wrapped.setTransactionTimeout(seconds);
    }
}
