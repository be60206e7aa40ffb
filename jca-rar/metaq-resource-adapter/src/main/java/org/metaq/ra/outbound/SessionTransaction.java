package org.metaq.ra.outbound;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.LocalTransactionException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of a managed connection that no transaction manager has: each is a branch of its
 * own, committed in one phase. Confined as the managed connection is.
 */
final class SessionTransaction implements LocalTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(SessionTransaction.class);

    private final XAResource resource;
    private @Nullable Xid branch;

    SessionTransaction(XAResource resource) {
        this.resource = resource;
    }

    @Override
    public void begin() throws ResourceException {
        if (branch != null) {
            throw new LocalTransactionException("the transaction before has not ended");
        }
        Xid next = OwnXid.random();
        run("begin", () -> resource.start(next, XAResource.TMNOFLAGS));
        branch = next;
    }

    @Override
    public void commit() throws ResourceException {
        Xid ended = takeBranch();
        run("commit", () -> commit(ended));
    }

    private void commit(Xid ended) throws XAException {
        try {
            resource.end(ended, XAResource.TMSUCCESS);
        } catch (XAException e) {
            // What cannot be committed must not hold its messages until it times out.
            rollback(ended);
            throw e;
        }
        resource.commit(ended, true);
    }

    @Override
    public void rollback() throws ResourceException {
        Xid ended = takeBranch();
        run("rollback", () -> rollback(ended));
    }

    /** Ends it first, if it has not failed at its end already. */
    private void rollback(Xid ended) throws XAException {
        try {
            resource.end(ended, XAResource.TMFAIL);
        } catch (XAException e) {
            LOG.debug("{} is rolled back all the same: {}", ended, e.getMessage());
        }
        resource.rollback(ended);
    }

    private Xid takeBranch() throws LocalTransactionException {
        Xid ended = branch;
        if (ended == null) {
            throw new LocalTransactionException("there is no transaction: begin it first");
        }
        branch = null;
        return ended;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws XAException;
    }

    private static void run(String doing, Step step) throws LocalTransactionException {
        try {
            step.run();
        } catch (XAException e) {
            throw new LocalTransactionException(doing + ": " + e.getMessage(), e);
        }
    }
}
