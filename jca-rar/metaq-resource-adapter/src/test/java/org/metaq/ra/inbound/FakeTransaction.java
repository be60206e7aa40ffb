package org.metaq.ra.inbound;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * A transaction with one resource, driven as transaction managers do: Narayana ends work that is to
 * be rolled back with TMFAIL, GlassFish with TMSUCCESS. Guarded by itself, as time-outs come on
 * other threads.
 */
final class FakeTransaction {
    private static final AtomicLong NUMBERS = new AtomicLong(System.nanoTime());

    /** How it is ended. */
    enum Style {
        /** One phase, as there is one resource. */
        ONE_PHASE,
        /** Prepare, then commit. */
        TWO_PHASE,
        /** Prepare, and then another resource cannot: rolled back. */
        ROLLBACK_AFTER_PREPARE
    }

    private record Branch(long number) implements Xid {
        @Override
        public int getFormatId() {
            return 0x4d51;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ByteBuffer.allocate(8).putLong(number).array();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    private final Xid xid = newXid();
    private final XAResource resource;
    private boolean isRollbackOnly;
    private boolean isOver;

    private FakeTransaction(XAResource resource) {
        this.resource = resource;
    }

    /** One that no other branch has. */
    static Xid newXid() {
        return new Branch(NUMBERS.incrementAndGet());
    }

    static FakeTransaction begin(XAResource resource) throws XAException {
        FakeTransaction begun = new FakeTransaction(resource);
        resource.start(begun.xid, XAResource.TMNOFLAGS);
        return begun;
    }

    synchronized void setRollbackOnly() {
        isRollbackOnly = true;
    }

    /** What the manager's reaper does when time is up. */
    synchronized void timeOut() throws XAException {
        if (!isOver) {
            isOver = true;
            resource.end(xid, XAResource.TMFAIL);
            resource.rollback(xid);
        }
    }

    /**
     * Commits, or rolls back if it must.
     *
     * @return whether it committed
     * @throws XAException what the resource threw
     */
    synchronized boolean complete(Style style) throws XAException {
        if (isOver) {
            return false;
        }
        isOver = true;
        if (isRollbackOnly) {
            resource.end(xid, style == Style.ONE_PHASE ? XAResource.TMFAIL : XAResource.TMSUCCESS);
            resource.rollback(xid);
            return false;
        }
        resource.end(xid, XAResource.TMSUCCESS);
        if (style == Style.ONE_PHASE) {
            resource.commit(xid, true);
            return true;
        }
        if (resource.prepare(xid) == XAResource.XA_RDONLY) {
            return true;
        }
        if (style == Style.ROLLBACK_AFTER_PREPARE) {
            resource.rollback(xid);
            return false;
        }
        resource.commit(xid, false);
        return true;
    }
}
