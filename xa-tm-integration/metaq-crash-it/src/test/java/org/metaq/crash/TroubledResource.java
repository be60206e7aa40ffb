package org.metaq.crash;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.metaq.jms.xa.MetaQXAResource;
import org.metaq.narayana.NamedResource;

/** The broker's resource, with what may become of a commit on the way. */
final class TroubledResource extends NamedResource {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** What becomes of a commit. */
    enum Commits {
        /** It goes through: the resource is enlisted as it is. */
        THROUGH,
        /** It fails as if the connection had been lost, and the resource is not asked. */
        DEAF,
        /** When the connection is lost it is asked for again, until there is an answer. */
        ASKED_AGAIN
    }

    private final Commits commits;

    private TroubledResource(MetaQXAResource resource, Commits commits) {
        super(resource);
        this.commits = commits;
    }

    /**
     * What to enlist.
     *
     * @param resource of a session of ours
     */
    static XAResource of(XAResource resource, Commits commits) {
        return commits == Commits.THROUGH
                ? resource
                : new TroubledResource((MetaQXAResource) resource, commits);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        if (commits == Commits.DEAF) {
            throw new XAException(XAException.XAER_RMFAIL);
        }
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                super.commit(xid, onePhase);
                return;
            } catch (XAException e) {
                if (e.errorCode != XAException.XAER_RMFAIL || System.nanoTime() > deadlineNs) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }
}
