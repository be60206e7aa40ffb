package org.metaq.broker;

import java.util.Objects;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.HeuristicOutcome;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;
import org.metaq.protocol.ErrorCode;

/** Why a branch does not take what is asked of it, as X/Open XA names it. */
final class Refusals {
    private final BrokerContext context;
    private final Associations associations;

    Refusals(BrokerContext context, Associations associations) {
        this.context = context;
        this.associations = associations;
    }

    /** Why nobody can work on the branch, or not this session. */
    RefusedException notActive(BranchId id) {
        if (associations.has(id)) {
            return new RefusedException(
                    ErrorCode.XAER_PROTO, "this session does not work on " + id);
        }
        Branch branch = context.state.branch(id);
        if (branch != null || context.state.heuristic(id) != null) {
            return new RefusedException(
                    ErrorCode.XAER_PROTO,
                    id + " is " + (branch == null ? "settled by hand" : branch.state()));
        }
        Outcome outcome = context.state.outcomes().of(id);
        return outcome == Outcome.TIMED_OUT || outcome == Outcome.CONNECTION_LOST
                ? rolledBack(id, outcome)
                : new RefusedException(ErrorCode.XAER_NOTA, "no branch " + id);
    }

    static RefusedException rolledBack(BranchId id, Outcome outcome) {
        return switch (outcome) {
            case TIMED_OUT ->
                    new RefusedException(ErrorCode.XA_RBTIMEOUT, id + " ran too long: rolled back");
            case CONNECTION_LOST ->
                    new RefusedException(
                            ErrorCode.XA_RBROLLBACK,
                            id + " was rolled back with a connection that was lost");
            default -> new RefusedException(ErrorCode.XA_RBROLLBACK, id + " was rolled back");
        };
    }

    /** What an operator decided, as the transaction manager is told. */
    RefusedException heuristic(BranchId id) {
        HeuristicOutcome heuristic = Objects.requireNonNull(context.state.heuristic(id));
        return heuristic.isCommitted()
                ? new RefusedException(ErrorCode.XA_HEURCOM, id + " was committed by hand")
                : new RefusedException(ErrorCode.XA_HEURRB, id + " was rolled back by hand");
    }
}
