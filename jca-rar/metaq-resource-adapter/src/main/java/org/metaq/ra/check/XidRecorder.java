package org.metaq.ra.check;

import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/** A resource that has nothing, and remembers the Xid of its branch. For one thread. */
final class XidRecorder implements XAResource {
    private @Nullable Xid xid;

    /** Null: no branch was started. */
    @Nullable Xid xid() {
        return xid;
    }

    @Override
    public void start(Xid branch, int flags) {
        xid = branch;
    }

    @Override
    public void end(Xid branch, int flags) {}

    @Override
    public int prepare(Xid branch) {
        return XA_RDONLY;
    }

    @Override
    public void commit(Xid branch, boolean onePhase) {}

    @Override
    public void rollback(Xid branch) {}

    @Override
    public void forget(Xid branch) {}

    @Override
    public Xid[] recover(int flag) {
        return new Xid[0];
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return other == this;
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }
}
