package org.metaq.narayana;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jboss.tm.XAResourceWrapper;
import org.metaq.jms.xa.MetaQXAResource;

/**
 * A broker's resource with a name for Narayana: that of the broker's data, so that all resources of
 * a broker have the same, whatever address they came by, and those of two brokers never do.
 * Thread-safe.
 */
final class NamedResource implements XAResourceWrapper {
    private final MetaQXAResource resource;

    NamedResource(MetaQXAResource resource) {
        this.resource = resource;
    }

    @Override
    public XAResource getResource() {
        return resource;
    }

    @Override
    public String getProductName() {
        return "MetaQ JMS";
    }

    /** Empty: nothing depends on it. */
    @Override
    public String getProductVersion() {
        return "";
    }

    @Override
    public String getJndiName() {
        return "metaq/" + resource.storeId();
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        resource.start(xid, flags);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        resource.end(xid, flags);
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        return resource.prepare(xid);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        resource.commit(xid, onePhase);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        resource.rollback(xid);
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
        return resource.isSameRM(other);
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return resource.setTransactionTimeout(seconds);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return resource.getTransactionTimeout();
    }

    @Override
    public String toString() {
        return resource.toString();
    }
}
