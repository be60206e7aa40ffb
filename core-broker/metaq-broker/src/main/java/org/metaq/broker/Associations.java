package org.metaq.broker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Association.Phase;
import org.metaq.common.BranchId;

/** The unprepared branches that connections work on. Confined to the writer thread. */
final class Associations {
    /** Deadline of a branch that may take its time. */
    static final long NO_DEADLINE = Long.MAX_VALUE;

    private final Map<BranchId, Association> byId = new HashMap<>();

    /** No deadline is before this. */
    private long earliestDeadlineNs = NO_DEADLINE;

    @Nullable Association get(BranchId id) {
        return byId.get(id);
    }

    boolean has(BranchId id) {
        return byId.containsKey(id);
    }

    int count() {
        return byId.size();
    }

    /** A new branch, with the connection working on it. */
    Association open(BrokerConnection connection, BranchId id, long deadlineNs) {
        Association association = new Association(id, deadlineNs);
        byId.put(id, association);
        earliestDeadlineNs = Math.min(earliestDeadlineNs, deadlineNs);
        join(association, connection);
        return association;
    }

    /** The connection works on the branch from now on, or again. */
    static void join(Association association, BrokerConnection connection) {
        association.phases.put(connection, Phase.ACTIVE);
        connection.associations.add(association);
    }

    /**
     * As MetaQ's clients work: on an XA branch from any connection, on a local transaction from its
     * own.
     *
     * @return false if there is no such branch for this connection
     */
    boolean joinClassic(BrokerConnection connection, BranchId id) {
        Association association = byId.get(id);
        if (association != null && (id.isXa() || association.phases.containsKey(connection))) {
            join(association, connection);
            return true;
        }
        return false;
    }

    /** Nobody works on the branch any more; does nothing if there is none. */
    void endAll(BranchId id) {
        Association association = byId.get(id);
        if (association != null) {
            association.phases.replaceAll((connection, phase) -> Phase.ENDED);
        }
    }

    /** The branch is finished or prepared. */
    void drop(Association association) {
        byId.remove(association.id);
        association.phases.keySet().forEach(c -> c.associations.remove(association));
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
