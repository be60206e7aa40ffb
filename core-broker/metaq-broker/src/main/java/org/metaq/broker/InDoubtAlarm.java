package org.metaq.broker;

import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.BranchState;
import org.metaq.broker.state.HeuristicOutcome;
import org.metaq.common.BranchId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of each branch that is in doubt for long, once, and again when it has its outcome. What it
 * warned of is forgotten in a restart: it warns again then. Confined to the writer thread.
 */
final class InDoubtAlarm {
    /** Branches that one look warns of; others wait for the next. */
    static final int WARNINGS_MAX = 100;

    private static final Logger LOG = LoggerFactory.getLogger(InDoubtAlarm.class);
    private static final long LOOK_INTERVAL_NS = 1_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE;

    private final BrokerContext context;
    private final Set<BranchId> warned = new LinkedHashSet<>();
    private long ageMs = NEVER;
    private long nextLookNs = Long.MIN_VALUE;

    InDoubtAlarm(BrokerContext context) {
        this.context = context;
    }

    /**
     * Sets the age from which it warns.
     *
     * @param newAgeMs 0: never
     */
    void age(long newAgeMs) {
        ageMs = newAgeMs == 0 ? NEVER : newAgeMs;
    }

    /** Looks at all branches, at most once a second. */
    void doWork() {
        long nowNs = context.clock.monotonicNs();
        if (ageMs == NEVER || nowNs < nextLookNs) {
            return;
        }
        nextLookNs = nowNs + LOOK_INTERVAL_NS;
        tellOfEnded();
        warnOfOld();
    }

    private void warnOfOld() {
        long nowMs = context.nowMs();
        long oldestMs = context.state.oldestPreparedMs();
        if (oldestMs == 0 || nowMs - oldestMs < ageMs) {
            return;
        }
        int warnings = 0;
        for (Branch branch : context.state.branches()) {
            boolean isOld =
                    branch.state() == BranchState.PREPARED && nowMs - branch.preparedMs() >= ageMs;
            if (isOld && warnings < WARNINGS_MAX && warned.add(branch.id())) {
                warnings++;
                LOG.warn(
                        "in-doubt xid={} preparedAt={}; its transaction manager has not settled it;"
                                + " see `metaq transactions show`",
                        branch.id(),
                        Instant.ofEpochMilli(branch.preparedMs()));
            }
        }
    }

    private void tellOfEnded() {
        for (Iterator<BranchId> all = warned.iterator(); all.hasNext(); ) {
            BranchId id = all.next();
            if (context.state.branch(id) == null) {
                all.remove();
                LOG.warn("in-doubt-ended xid={} outcome={}", id, outcome(id));
            }
        }
    }

    private String outcome(BranchId id) {
        HeuristicOutcome heuristic = context.state.heuristic(id);
        if (heuristic != null) {
            return heuristic.isCommitted() ? "COMMITTED by hand" : "ROLLED_BACK by hand";
        }
        return String.valueOf(context.state.outcomes().of(id));
    }
}
