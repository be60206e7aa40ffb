package org.metaq.ra.outbound;

import java.util.Arrays;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.metaq.ra.broker.PatientCommit;

/**
 * The XAResource of a managed connection, which stays the same when the session below is replaced.
 * It knows whether a branch is under way.
 *
 * <p>A pool may end the work with the last handle ({@code Transaction.delistResource}), and the
 * transaction manager end it again at the outcome: Narayana does with what has joined another
 * resource's branch. By X/Open XA the session's answer to the second is XAER_PROTO, which managers
 * then pass over, with a warning for each transaction. There is nothing left to end, so that here
 * it is no error.
 *
 * <p>Thread-safe as what it stands for.
 */
final class BranchResource implements XAResource {
    private final Renewal renewal;
    private final PatientCommit commit = new PatientCommit();

    // Written by who replaces the session, which works in no branch then; read by any thread.
    private volatile XAResource session;

    // Written by the thread that starts or ends the branch.
    private volatile boolean isInBranch;

    /** The branch that was ended last, until another work begins or its outcome is told here. */
    private volatile @Nullable Xid ended;

    /** What was set, for the sessions to come, too. 0: nothing. */
    private volatile int timeoutSeconds;

    /** What there is to do before a branch. */
    @FunctionalInterface
    interface Renewal {
        /** Replaces a session that is lost, if nobody uses it. */
        void renew() throws XAException;
    }

    BranchResource(XAResource session, Renewal renewal) {
        this.session = session;
        this.renewal = renewal;
    }

    /** Works with another session from now on, which has no branch. */
    void follow(XAResource newSession) {
        session = newSession;
        isInBranch = false;
        ended = null;
    }

    /** Whether what the session does now belongs to a branch. */
    boolean isInBranch() {
        return isInBranch;
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        ended = null;
        if (!isInBranch) {
            renewal.renew();
        }
        if (timeoutSeconds != 0) {
            session.setTransactionTimeout(timeoutSeconds);
        }
        session.start(xid, flags);
        isInBranch = true;
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        if (flags == TMSUCCESS && isSame(xid, ended)) {
            return;
        }
        isInBranch = false;
        session.end(xid, flags);
        ended = flags == TMSUCCESS ? xid : null;
    }

    private static boolean isSame(Xid one, @Nullable Xid other) {
        return other != null
                && one.getFormatId() == other.getFormatId()
                && Arrays.equals(one.getGlobalTransactionId(), other.getGlobalTransactionId())
                && Arrays.equals(one.getBranchQualifier(), other.getBranchQualifier());
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        ended = null;
        return session.prepare(xid);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        ended = null;
        commit.commit(session, xid, onePhase);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        ended = null;
        session.rollback(xid);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        session.forget(xid);
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return session.recover(flag);
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return session.isSameRM(other instanceof BranchResource that ? that.session : other);
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        boolean isTaken = session.setTransactionTimeout(seconds);
        timeoutSeconds = seconds;
        return isTaken;
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return session.getTransactionTimeout();
    }

    /** For logs. */
    @Override
    public String toString() {
        return "BranchResource[" + session + "]";
    }
}
