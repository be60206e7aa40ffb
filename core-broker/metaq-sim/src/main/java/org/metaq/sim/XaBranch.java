package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.protocol.ErrorCode;
import org.metaq.sim.SimLink.Result;
import org.metaq.sim.XaTransaction.Told;

/**
 * A branch of a global transaction: what was done in it, what was asked of its broker, and which
 * answers are right for that.
 */
final class XaBranch {
    /** What came of prepare. */
    enum Vote {
        /** It was not asked for, or not answered. */
        NONE,
        PREPARED,
        READ_ONLY,
        ROLLED_BACK
    }

    final XaTransaction transaction;
    final XaNode node;
    final BranchId id;

    /** Messages that were received in it. */
    final List<SimClient.Held> received = new ArrayList<>();

    int sentCount;
    Vote vote = Vote.NONE;
    boolean isPrepareAsked;
    boolean isCommitAsked;
    boolean isRollbackAsked;
    boolean isForgetAsked;

    /** An operator was about to decide; whether that came to something is not known. */
    boolean isUnderHand;

    /** What an operator decided: true: commit; null: nothing. */
    @Nullable Boolean byHand;

    /** When it may time out at the earliest, monotonic; known once its start was asked for. */
    long deadlineNs;

    XaBranch(XaTransaction transaction, XaNode node, BranchId id) {
        this.transaction = transaction;
        this.node = node;
        this.id = id;
    }

    boolean hasWork() {
        return sentCount > 0 || !received.isEmpty();
    }

    // ---- what became of it

    /** Whether its work is done for good; null: only its broker knows. */
    @Nullable Boolean isCommitted() {
        if (byHand != null) {
            return byHand;
        }
        if (!transaction.isOnePhase()) {
            return transaction.isDecided;
        }
        if (transaction.told != null) {
            return transaction.told == Told.COMMITTED;
        }
        return isCommitAsked ? null : Boolean.FALSE;
    }

    /** What it received can be nobody else's: for good, or as long as it is prepared. */
    boolean isHolding() {
        if (byHand != null || isUnderHand) {
            return Boolean.TRUE.equals(byHand);
        }
        if (transaction.isOnePhase()) {
            return transaction.told == Told.COMMITTED;
        }
        return vote == Vote.PREPARED && (transaction.isDecided || !isRollbackAsked);
    }

    /** It must be prepared, as nobody has asked for an outcome. */
    boolean isInDoubt() {
        boolean isAsked = isCommitAsked || isRollbackAsked || isUnderHand || byHand != null;
        return vote == Vote.PREPARED && !isAsked;
    }

    /** Somebody may have made its messages visible. */
    boolean mayShow() {
        return isCommitAsked || isUnderHand || Boolean.TRUE.equals(byHand);
    }

    // ---- which answers are right

    /** The answer to a prepare that was not lost. */
    void prepared(Result answer, long nowNs) {
        if (answer.isOk()) {
            String expected = hasWork() ? "0" : "3";
            require(answer.text().equals(expected), "prepare", answer, expected);
            vote = hasWork() ? Vote.PREPARED : Vote.READ_ONLY;
        } else {
            requireTimedOut("prepare", answer, nowNs);
            vote = Vote.ROLLED_BACK;
        }
    }

    /** The answer to a commit of what was prepared. */
    void committed(Result answer) {
        if (isHeuristic(answer)) {
            requireHeuristic("commit", answer);
        } else if (byHand != null) {
            boolean isForgotten = isForgetAsked && answer.error() == ErrorCode.XAER_NOTA;
            require(isForgotten, "commit", answer, "what the operator did");
        } else {
            require(answer.isOk(), "commit of what is prepared", answer, "done");
        }
    }

    /** The answer to a rollback of what is not prepared, or is prepared and was not decided. */
    void rolledBack(Result answer) {
        boolean isUnknown = answer.error() == ErrorCode.XAER_NOTA;
        if (isHeuristic(answer)) {
            requireHeuristic("rollback", answer);
        } else if (byHand != null) {
            require(isForgetAsked && isUnknown, "rollback", answer, "what the operator did");
        } else if (transaction.isDecided) {
            require(isUnknown, "rollback of what was committed", answer, "XAER_NOTA");
        } else if (vote == Vote.PREPARED) {
            require(answer.isOk(), "rollback of what is prepared", answer, "done");
        } else {
            require(answer.isOk() || isUnknown, "rollback", answer, "done or XAER_NOTA");
        }
    }

    /**
     * The answer to a commit in one phase, the first or a later one.
     *
     * @param isAgain whether its connection was lost meanwhile, and it with that
     * @return what the application may be told
     */
    Told committedOnePhase(Result answer, boolean isAgain, long nowNs) {
        if (answer.isOk()) {
            require(transaction.told != Told.ROLLED_BACK, "commit", answer, "rolled back");
            return Told.COMMITTED;
        }
        require(transaction.told != Told.COMMITTED, "commit again", answer, "done");
        if (!isAgain || answer.error() != ErrorCode.XA_RBROLLBACK) {
            requireTimedOut("commit", answer, nowNs);
        }
        return Told.ROLLED_BACK;
    }

    /** The answer to a forget, the first or a later one. */
    void forgotten(Result answer) {
        boolean isRight = answer.isOk() || answer.error() == ErrorCode.XAER_NOTA;
        require(isRight, "forget", answer, "done or XAER_NOTA");
    }

    /** A refusal that only a time-out explains. */
    void requireTimedOut(String what, Result answer, long nowNs) {
        require(
                answer.error() == ErrorCode.XA_RBTIMEOUT && nowNs >= deadlineNs,
                what,
                answer,
                nowNs >= deadlineNs ? "done or XA_RBTIMEOUT" : "done, as there is time left");
    }

    /** True if an operator decided, and the manager must forget that. */
    static boolean isHeuristic(Result answer) {
        return answer.error() == ErrorCode.XA_HEURCOM || answer.error() == ErrorCode.XA_HEURRB;
    }

    private void requireHeuristic(String what, Result answer) {
        boolean isCommitted = answer.error() == ErrorCode.XA_HEURCOM;
        require(
                byHand != null && byHand == isCommitted,
                what,
                answer,
                byHand == null ? "no operator's word" : byHand ? "XA_HEURCOM" : "XA_HEURRB");
    }

    private void require(boolean isRight, String what, Result answer, String expected) {
        if (!isRight) {
            throw new Violation(
                    what
                            + " of "
                            + this
                            + " is answered "
                            + answer.status()
                            + " "
                            + answer.text()
                            + ", not "
                            + expected);
        }
    }

    @Override
    public String toString() {
        return transaction + "@" + node;
    }
}
