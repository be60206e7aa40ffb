package org.metaq.narayana;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jboss.tm.XAResourceWrapper;
import org.metaq.jms.xa.MetaQXAResource;

/**
 * A resource with a name for Narayana's log, by which recovery knows that it has asked the right
 * one when a branch is not there any more; without a name the log would keep its entry for ever.
 * Brokers' resources get one by themselves; wrap those of a database, to be enlisted and to be
 * recovered. Thread-safe as what it wraps is.
 */
public class NamedResource implements XAResourceWrapper {
    private final String name;
    private final XAResource resource;

    /**
     * A resource with a name.
     *
     * @param name the same whenever the process runs, and that of no other resource manager
     */
    public NamedResource(String name, XAResource resource) {
        this.name = name;
        this.resource = resource;
    }

    /**
     * A broker's, with the name of the broker's data: all resources of a broker have the same,
     * whatever address they came by, and those of two brokers never do.
     */
    public NamedResource(MetaQXAResource resource) {
        this("metaq/" + resource.storeId(), resource);
    }

    @Override
    public XAResource getResource() {
        return resource;
    }

    @Override
    public String getProductName() {
        return name;
    }

    /** Empty: nothing depends on it. */
    @Override
    public String getProductVersion() {
        return "";
    }

    @Override
    public String getJndiName() {
        return name;
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
        return resource.isSameRM(other instanceof NamedResource that ? that.resource : other);
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
