package org.metaq.server.operations;

import java.time.Instant;
import javax.management.ConstructorParameters;
import org.metaq.broker.state.HeuristicOutcome;
import org.metaq.common.BranchId;

/** What an operator decided over a branch, as JMX shows it. Immutable. */
public final class HeuristicView {
    private final HeuristicOutcome outcome;

    HeuristicView(HeuristicOutcome outcome) {
        this.outcome = outcome;
    }

    /** From the open data that JMX carries. */
    @ConstructorParameters({"key", "committed", "decidedAt"})
    public HeuristicView(String key, boolean committed, String decidedAt) {
        this(
                new HeuristicOutcome(
                        BranchId.parse(key), committed, Instant.parse(decidedAt).toEpochMilli()));
    }

    /** Key of the branch. */
    public String getKey() {
        return outcome.branch().toString();
    }

    /** Committed, else rolled back. */
    public boolean isCommitted() {
        return outcome.isCommitted();
    }

    /** When it was decided, in ISO 8601. */
    public String getDecidedAt() {
        return Instant.ofEpochMilli(outcome.timeMs()).toString();
    }
}
