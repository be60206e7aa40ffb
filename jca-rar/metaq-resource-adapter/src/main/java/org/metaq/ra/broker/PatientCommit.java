package org.metaq.ra.broker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * Commits, and asks again for a while when the connection is lost: a broker that is restarted is
 * back in seconds, and remembers what it has done. Else the branch stays in doubt until the
 * server's next recovery. Thread-safe.
 */
public final class PatientCommit {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_NS = 100_000_000L;

    private final long patienceNs;

    /** Gives up after ten seconds, or when the thread is interrupted. */
    public PatientCommit() {
        this(PATIENCE);
    }

    PatientCommit(Duration patience) {
        patienceNs = patience.toNanos();
    }

    /**
     * Commits.
     *
     * @throws XAException as the resource's, but XA_RETRY for a prepared branch when the broker
     *     stays away: by X/Open XA the branch stays prepared, and commit is to be issued again.
     *     Payara's transaction manager does that, while it gives up after XAER_RMFAIL; to Narayana
     *     both are the same
     */
    public void commit(XAResource resource, Xid xid, boolean onePhase) throws XAException {
        long startNs = System.nanoTime();
        while (true) {
            try {
                resource.commit(xid, onePhase);
                return;
            } catch (XAException e) {
                if (e.errorCode != XAException.XAER_RMFAIL) {
                    throw e;
                }
                if (System.nanoTime() - startNs >= patienceNs
                        || Thread.currentThread().isInterrupted()) {
                    throw onePhase ? e : retry(e);
                }
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private static XAException retry(XAException failure) {
        XAException retry = new XAException(failure.getMessage());
        retry.errorCode = XAException.XA_RETRY;
        retry.initCause(failure);
        return retry;
    }
}
