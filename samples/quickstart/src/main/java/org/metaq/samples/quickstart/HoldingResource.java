package org.metaq.samples.quickstart;

import java.io.Serializable;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * A resource that can stop the transaction manager when it commits. Enlisted as the first, it is
 * the first to be told: by then all resources are prepared and the decision is in the log, and no
 * other has committed. Being serializable, it is in the log too; what recovery reads from there
 * does not stop any more.
 */
final class HoldingResource implements XAResource, Serializable {
    private static final long serialVersionUID = 1L;
    private static final Xid[] NONE = {};

    private final transient @Nullable HoldPoint point;

    HoldingResource(HoldPoint point) {
        this.point = point;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) {
        if (point != null) {
            point.holdIfReached();
        }
    }

    @Override
    public int prepare(Xid xid) {
        return XA_OK;
    }

    @Override
    public void start(Xid xid, int flags) {
        // It does no work.
    }

    @Override
    public void end(Xid xid, int flags) {
        // It does no work.
    }

    @Override
    public void rollback(Xid xid) {
        // It has nothing to undo.
    }

    @Override
    public void forget(Xid xid) {
        // It makes no heuristic decisions.
    }

    @Override
    public Xid[] recover(int flag) {
        return NONE;
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
