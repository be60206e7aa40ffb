package org.metaq.broker;

import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.BranchState;
import org.metaq.broker.state.HeuristicOutcome;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command.Decision;
import org.metaq.protocol.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators decide over branches, each time with a line in the audit log. Confined to the
 * writer thread.
 */
final class Decisions {
    /** Name of the audit log's logger. */
    static final String AUDIT_LOGGER = "org.metaq.audit";

    private static final Logger AUDIT = LoggerFactory.getLogger(AUDIT_LOGGER);

    private final BrokerContext context;
    private final Associations associations;
    private final Transactions transactions;

    Decisions(BrokerContext context, Associations associations, Transactions transactions) {
        this.context = context;
        this.associations = associations;
        this.transactions = transactions;
    }

    /**
     * Who decides.
     *
     * @param user empty: not known
     * @param place remote address, or {@code JMX}
     */
    record Operator(String user, String place) {}

    /** Does it, or refuses; answers with a sentence. */
    void decide(BranchId id, Decision decision, Operator operator, Answer answer) {
        Answer audited = new AuditedAnswer(id, decision, operator, answer);
        if (decision == Decision.FORGET) {
            transactions.forget(id, audited);
            return;
        }
        RefusedException refused = refusal(id);
        if (refused != null) {
            audited.refused(refused);
        } else {
            transactions.settleByHand(id, decision == Decision.COMMIT, audited);
        }
    }

    /** Why nobody may decide over this branch; null: it is in doubt. */
    private @Nullable RefusedException refusal(BranchId id) {
        Branch branch = context.state.branch(id);
        if (branch != null && branch.state() == BranchState.PREPARED) {
            return null;
        }
        HeuristicOutcome before = context.state.heuristic(id);
        if (before != null) {
            return new RefusedException(
                    ErrorCode.XAER_PROTO,
                    id
                            + " is not prepared: it was "
                            + (before.isCommitted() ? "committed" : "rolled back")
                            + " by hand before");
        }
        return branch != null || associations.has(id)
                ? new RefusedException(
                        ErrorCode.XAER_PROTO,
                        id + " is not prepared: only in-doubt branches can be settled by hand")
                : new RefusedException(ErrorCode.XAER_NOTA, "no branch " + id);
    }

    /** What was done, as a human reads it. */
    private static String done(Decision decision) {
        return switch (decision) {
            case COMMIT -> "committed";
            case ROLLBACK -> "rolled back";
            case FORGET -> "forgotten";
        };
    }

    /** Writes the line when it is known what became of it. */
    private record AuditedAnswer(BranchId id, Decision decision, Operator operator, Answer answer)
            implements Answer {
        @Override
        public void ok(String text) {
            audit("done");
            answer.ok(done(decision) + " " + id);
        }

        @Override
        public void refused(ErrorCode code, String text) {
            audit(code == ErrorCode.UNKNOWN_OUTCOME ? "unknown" : "refused " + code + ": " + text);
            answer.refused(code, text);
        }

        private void audit(String outcome) {
            AUDIT.info(
                    "decision={} xid={} user={} from={} outcome=\"{}\"",
                    decision,
                    word(id.toString()),
                    operator.user().isEmpty() ? "-" : word(operator.user()),
                    word(operator.place()),
                    outcome.replaceAll("[^\\p{Graph} ]", "?"));
        }

        /** Nothing that a client chose begins another line, or another field. */
        private static String word(String text) {
            return text.replaceAll("[^\\p{Graph}]", "?");
        }
    }
}
