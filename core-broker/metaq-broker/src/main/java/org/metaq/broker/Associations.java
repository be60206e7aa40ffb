package org.metaq.broker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Association.Phase;
import org.metaq.broker.Association.Worker;
import org.metaq.common.BranchId;
import org.metaq.common.Clock;

/** The unprepared branches that connections work on. Confined to the writer thread. */
final class Associations {
    /** Session of work that is not told by sessions: local transactions, MetaQ's clients. */
    static final int NO_SESSION = 0;

    /** Deadline of a branch that may take its time. */
    static final long NO_DEADLINE = Long.MAX_VALUE;

    private final Clock clock;
    private final Map<BranchId, Association> byId = new HashMap<>();

    /** No deadline is before this. */
    private long earliestDeadlineNs = NO_DEADLINE;

    Associations(Clock clock) {
        this.clock = clock;
    }

    @Nullable Association get(BranchId id) {
        return byId.get(id);
    }

    boolean has(BranchId id) {
        return byId.containsKey(id);
    }

    int count() {
        return byId.size();
    }

    Collection<Association> all() {
        return byId.values();
    }

    /** A local transaction of a connection. */
    Association openLocal(BrokerConnection connection, BranchId id) {
        return open(new Worker(connection, NO_SESSION), id, NO_DEADLINE);
    }

    /** A new branch, with the session working on it. */
    Association open(Worker worker, BranchId id, long deadlineNs) {
        Association association =
                new Association(id, deadlineNs, worker.connection(), clock.wallMs());
        byId.put(id, association);
        earliestDeadlineNs = Math.min(earliestDeadlineNs, deadlineNs);
        join(association, worker);
        return association;
    }

    /** The session works on the branch from now on, or again. */
    static void join(Association association, Worker worker) {
        association.phases.put(worker, Phase.ACTIVE);
        worker.connection().associations.add(association);
    }

    /**
     * As MetaQ's clients work: on an XA branch from any connection, on a local transaction from its
     * own.
     *
     * @return false if there is no such branch for this connection
     */
    boolean joinClassic(BrokerConnection connection, BranchId id) {
        Association association = byId.get(id);
        Worker worker = new Worker(connection, NO_SESSION);
        if (association != null && (id.isXa() || association.phases.containsKey(worker))) {
            join(association, worker);
            return true;
        }
        return false;
    }

    /** Nobody works on the branch any more; does nothing if there is none. */
    void endAll(BranchId id) {
        Association association = byId.get(id);
        if (association != null) {
            association.phases.replaceAll((worker, phase) -> Phase.ENDED);
        }
    }

    /** The branch is finished or prepared. */
    void drop(Association association) {
        byId.remove(association.id);
        association.phases.keySet().forEach(w -> w.connection().associations.remove(association));
    }

    /** Takes back what {@link #drop} did: the journal was too busy for the record. */
    void restore(Association association) {
        byId.put(association.id, association);
        earliestDeadlineNs = Math.min(earliestDeadlineNs, association.deadlineNs);
        association.phases.keySet().forEach(w -> w.connection().associations.add(association));
    }

    /** When {@link #expired} is worth a look; {@link #NO_DEADLINE} if nothing runs out. */
    long earliestDeadlineNs() {
        return earliestDeadlineNs;
    }

    /** Branches whose deadline has come; the caller drops them. */
    List<Association> expired(long nowNs) {
        if (nowNs < earliestDeadlineNs) {
            return List.of();
        }
        List<Association> expired = new ArrayList<>();
        earliestDeadlineNs = NO_DEADLINE;
        for (Association association : byId.values()) {
            if (association.deadlineNs <= nowNs) {
                expired.add(association);
            } else {
                earliestDeadlineNs = Math.min(earliestDeadlineNs, association.deadlineNs);
            }
        }
        return expired;
    }
}
