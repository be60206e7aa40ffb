package org.metaq.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;

/** A transaction branch as its clients know it. */
final class SimBranch {
    /** What a client does on it. */
    enum Phase {
        ACTIVE,
        SUSPENDED,
        ENDED
    }

    /** How far it is. */
    enum Stage {
        /** Not prepared. */
        OPEN,
        /** Prepared, or told to. */
        PREPARED,
        /** Finished, or told to, or lost. */
        DONE
    }

    final BranchId id;
    final Map<SimClient, Phase> phases = new LinkedHashMap<>();
    final List<SimClient.Held> acknowledged = new ArrayList<>();
    final long deadlineNs;
    Stage stage = Stage.OPEN;
    boolean isRollbackOnly;

    /** Sends to temporary destinations, which no record knows. */
    final List<Op.Send> temporarySends = new ArrayList<>();

    boolean hasSent;
    int bytes;

    /** Its end was asked for and the answer never came. */
    boolean isEndUnknown;

    SimBranch(BranchId id, long deadlineNs) {
        this.id = id;
        this.deadlineNs = deadlineNs;
    }

    /** Who has suspended what this client may resume: itself, or the first other; null: nobody. */
    @Nullable SimClient suspenderFor(SimClient client) {
        if (phases.get(client) == Phase.SUSPENDED) {
            return client;
        }
        return phases.keySet().stream()
                .filter(other -> phases.get(other) == Phase.SUSPENDED)
                .findFirst()
                .orElse(null);
    }

    boolean isIdle() {
        return phases.values().stream().allMatch(phase -> phase == Phase.ENDED);
    }

    boolean hasWork() {
        return hasSent || !acknowledged.isEmpty();
    }

    @Override
    public String toString() {
        return id + " " + stage + (isRollbackOnly ? " rollback-only" : "");
    }
}
