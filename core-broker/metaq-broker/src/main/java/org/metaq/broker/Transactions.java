package org.metaq.broker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.BranchState;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Redelivery;
import org.metaq.broker.state.Subscription;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.store.journal.JournalRecord.Need;

/**
 * The outcome of local and XA transactions, from prepare to forget, and what X/Open XA allows when.
 * Confined to the writer thread.
 */
final class Transactions {
    /** How long after the first time a commit in one phase may be asked for again, at most. */
    private static final long ASKED_AGAIN_MAX_MS = 60_000;

    private final BrokerContext context;
    private final Redeliveries redeliveries;
    private final Settlements settlements;
    private final Associations associations;
    private final Refusals refusals;

    /** What prepared branches hold that no record knows; gone with the process. */
    private final Map<BranchId, Association> preparedParts = new HashMap<>();

    /** Branches with a record on its way that changes their state. */
    private final Set<BranchId> underWay = new HashSet<>();

    /** Branches of connections that are gone, for whose rollback the journal was too busy. */
    private final ArrayDeque<Association> lost = new ArrayDeque<>();

    private Consumer<Association.TemporarySend> temporaryCommit = send -> {};

    Transactions(
            BrokerContext context,
            Redeliveries redeliveries,
            Settlements settlements,
            Associations associations) {
        this.context = context;
        this.redeliveries = redeliveries;
        this.settlements = settlements;
        this.associations = associations;
        this.refusals = new Refusals(context, associations);
    }

    void onTemporaryCommit(Consumer<Association.TemporarySend> commit) {
        temporaryCommit = commit;
    }

    /**
     * True if the branch's state is about to change: apply what is appended before looking at it.
     */
    boolean isUnderWay(BranchId branch) {
        return underWay.contains(branch);
    }

    /** What a prepared branch holds that no record knows; null: nothing. */
    @Nullable Association preparedPart(BranchId id) {
        return preparedParts.get(id);
    }

    /** Branches that are neither prepared nor finished. */
    int activeCount() {
        return associations.count();
    }

    // ---- xa_prepare

    void prepare(BrokerConnection connection, Command.Prepare c, Answer answer) {
        BranchId id = c.branch();
        Association association = associations.get(id);
        if (association == null) {
            answer.refused(refusals.notActive(id));
        } else if (!association.isIdle()) {
            answer.refused(ErrorCode.XAER_PROTO, id + " is not ended everywhere");
        } else if (!association.rollbackOnly.isEmpty()) {
            rollBackInstead(association, answer);
        } else if (!association.hasWork()) {
            associations.drop(association);
            answer.ok("3");
        } else {
            preparedParts.put(id, association);
            Records.prepare(
                    context.batch.body(),
                    id,
                    association.acknowledged.durable(),
                    association.origin());
            finish(association, RecordType.PREPARE, answer.whenApplied("0"));
        }
    }

    /** The branch is rollback-only: rolls it back and says so. */
    private void rollBackInstead(Association association, Answer answer) {
        String why = association.rollbackOnly;
        rollback(
                association,
                Outcome.ROLLED_BACK,
                applied -> {
                    if (applied instanceof Applied.Refused) {
                        answer.whenApplied("").accept(applied);
                    } else {
                        answer.refused(ErrorCode.XA_RBROLLBACK, why);
                    }
                });
    }

    /**
     * Appends the record by which the connections' work on a branch is over. If the journal is too
     * busy for it, it is not, and who asked may ask again.
     */
    private void finish(Association association, RecordType type, Consumer<Applied> completion) {
        associations.drop(association);
        append(
                type,
                association.id,
                applied -> {
                    if (BrokerContext.isBusy(applied)) {
                        goOn(association);
                    }
                    completion.accept(applied);
                });
    }

    /** The branch is what it was; without its connection, it is rolled back in the next turn. */
    private void goOn(Association association) {
        preparedParts.remove(association.id);
        associations.restore(association);
        if (association.isLost()) {
            association.rollbackOnly = association.id + " has lost its connection";
            lost.add(association);
        }
    }

    private void append(RecordType type, BranchId id, Consumer<Applied> completion) {
        underWay.add(id);
        context.batch.add(
                type,
                Need.TRANSACTION_POLICY,
                applied -> {
                    underWay.remove(id);
                    completion.accept(applied);
                });
    }

    // ---- commit

    void commit(BrokerConnection connection, Command.Commit c, Answer answer) {
        BranchId id = c.branch();
        Association association = associations.get(id);
        if (!id.isXa()) {
            commitLocal(connection, c, association, answer);
        } else if (c.onePhase()) {
            commitOnePhase(c.branch(), association, answer);
        } else {
            commitPrepared(c.branch(), association, answer);
        }
    }

    private void commitLocal(
            BrokerConnection connection,
            Command.Commit c,
            @Nullable Association existing,
            Answer answer) {
        Outcome outcome = existing == null ? context.state.outcomes().of(c.branch()) : null;
        if (outcome != null) {
            answerOutcome(c.branch(), outcome, answer);
            return;
        }
        if (existing == null && c.acknowledged().isEmpty()) {
            // A repeated commit whose branch was lost before anything of it was durable: nothing
            // is known of its sends, so it must not be told that they are committed.
            answer.refused(
                    ErrorCode.XA_RBROLLBACK,
                    "no branch " + c.branch() + ": what it did is rolled back");
            return;
        }
        Association association =
                existing != null ? existing : associations.openLocal(connection, c.branch());
        if (!holds(connection, association, c.acknowledged())) {
            association.rollbackOnly =
                    c.branch() + " acknowledges messages that this connection does not hold";
        } else {
            association.acknowledge(connection, c.acknowledged());
        }
        commit(association, answer);
    }

    /**
     * True if the connection holds it; or its branch, by an attempt that found the journal busy.
     */
    private static boolean holds(
            BrokerConnection connection, @Nullable Association association, Settlement settlement) {
        return connection.holdings.containsAll(settlement)
                || (association != null && association.acknowledged.containsAll(settlement));
    }

    private void commitOnePhase(BranchId id, @Nullable Association association, Answer answer) {
        if (association != null && association.isIdle()) {
            commit(association, answer);
            return;
        }
        Outcome outcome = context.state.outcomes().of(id);
        if (association != null || context.state.branch(id) != null) {
            answer.refused(
                    ErrorCode.XAER_PROTO,
                    id + " is " + (association != null ? "not ended" : "prepared"));
        } else if (context.state.heuristic(id) != null) {
            answer.refused(refusals.heuristic(id));
        } else if (outcome != null) {
            answerOutcome(id, outcome, answer);
        } else {
            refuseUnknownOnePhase(id, answer);
        }
    }

    /**
     * Nobody else has a word about a commit in one phase: who asks again, because the answer was
     * lost, must be told what became of it, also of a branch of which nothing was durable.
     */
    private void refuseUnknownOnePhase(BranchId id, Answer answer) {
        long nowMs = context.nowMs();
        boolean isNotCommitted =
                context.state.outcomes().areAllKnown(nowMs - ASKED_AGAIN_MAX_MS, nowMs);
        answer.refused(
                isNotCommitted ? ErrorCode.XA_RBROLLBACK : ErrorCode.XAER_NOTA,
                "no branch " + id + (isNotCommitted ? ": what it did is rolled back" : ""));
    }

    private void commit(Association association, Answer answer) {
        if (!association.rollbackOnly.isEmpty()) {
            rollBackInstead(association, answer);
            return;
        }
        Records.commit(
                context.batch.body(), association.id, true, association.acknowledged.durable());
        finish(
                association,
                RecordType.COMMIT,
                applied -> {
                    if (!(applied instanceof Applied.Refused)) {
                        settleVolatile(association, true);
                    }
                    answer.whenApplied("").accept(applied);
                });
    }

    private void commitPrepared(BranchId id, @Nullable Association association, Answer answer) {
        Branch branch = context.state.branch(id);
        Outcome outcome = context.state.outcomes().of(id);
        if (association != null) {
            answer.refused(ErrorCode.XAER_PROTO, id + " is not prepared");
        } else if (context.state.heuristic(id) != null) {
            answer.refused(refusals.heuristic(id));
        } else if (branch != null && branch.state() == BranchState.PREPARED) {
            Records.commit(context.batch.body(), id, false, Settlement.NONE);
            append(RecordType.COMMIT, id, settled(id, true, answer));
        } else if (outcome != null) {
            answerOutcome(id, outcome, answer);
        } else {
            answer.refused(ErrorCode.XAER_NOTA, "no branch " + id);
        }
    }

    /** Completion of the second phase; one that was refused may be asked for again. */
    private Consumer<Applied> settled(BranchId id, boolean isCommitted, Answer answer) {
        return applied -> {
            if (!(applied instanceof Applied.Refused)) {
                Association part = preparedParts.remove(id);
                if (part != null) {
                    settleVolatile(part, isCommitted);
                }
            }
            answer.whenApplied("").accept(applied);
        };
    }

    private void settleVolatile(Association association, boolean isCommitted) {
        if (isCommitted) {
            association.acknowledged.forEachVolatile(Cursor::acknowledge);
            association.temporarySends.forEach(temporaryCommit);
        } else {
            settlements.releaseVolatile(association.acknowledged, cause(association));
        }
    }

    private static void answerOutcome(BranchId id, Outcome outcome, Answer answer) {
        if (outcome == Outcome.COMMITTED) {
            answer.ok("");
        } else {
            answer.refused(Refusals.rolledBack(id, outcome));
        }
    }

    // ---- rollback

    void rollback(BrokerConnection connection, Command.Rollback c, Answer answer) {
        BranchId id = c.branch();
        Association association = associations.get(id);
        if (!id.isXa()) {
            rollbackLocal(connection, c, association, answer);
            return;
        }
        Branch branch = context.state.branch(id);
        Outcome outcome = context.state.outcomes().of(id);
        if (association != null) {
            rollback(association, c, answer);
        } else if (branch != null) {
            Redelivery redelivery = ofPrepared(branch, c.reason());
            Records.rollback(
                    context.batch.body(), id, Outcome.ROLLED_BACK, Settlement.NONE, redelivery);
            append(RecordType.ROLLBACK, id, settled(id, false, answer));
        } else if (context.state.heuristic(id) != null) {
            answer.refused(refusals.heuristic(id));
        } else if (outcome != null && outcome != Outcome.COMMITTED) {
            answer.ok("");
        } else {
            answer.refused(ErrorCode.XAER_NOTA, "no branch " + id);
        }
    }

    private void rollbackLocal(
            BrokerConnection connection,
            Command.Rollback c,
            @Nullable Association existing,
            Answer answer) {
        if (!holds(connection, existing, c.consumed())) {
            answer.refused(ErrorCode.NOT_ACQUIRED, Settlements.NOT_ACQUIRED);
            return;
        }
        Association association =
                existing != null ? existing : associations.openLocal(connection, c.branch());
        association.acknowledge(connection, c.consumed());
        rollback(association, c, answer);
    }

    private void rollback(Association association, Command.Rollback c, Answer answer) {
        if (c.delivered()) {
            association.rollbackReason = c.reason();
            rollback(association, Outcome.ROLLED_BACK, answer.whenApplied(""));
        } else {
            rollbackUndelivered(association, answer.whenApplied(""));
        }
    }

    /**
     * What goes back as if never taken is in no record: if the broker ends meanwhile, the branch,
     * which is not prepared, is gone, and nobody holds its messages, with this record or without.
     */
    private void rollbackUndelivered(Association association, Consumer<Applied> completion) {
        Records.rollback(
                context.batch.body(),
                association.id,
                Outcome.ROLLED_BACK,
                Settlement.NONE,
                Redelivery.NONE);
        finish(
                association,
                RecordType.ROLLBACK,
                applied -> {
                    if (!BrokerContext.isBusy(applied)) {
                        association.acknowledged.drain(settlements::giveBack);
                    }
                    completion.accept(applied);
                });
    }

    private void rollback(Association association, Outcome outcome, Consumer<Applied> completion) {
        Redelivery redelivery =
                redeliveries.ofDurable(association.acknowledged, cause(association));
        Records.rollback(
                context.batch.body(),
                association.id,
                outcome,
                association.acknowledged.durable(),
                redelivery);
        finish(
                association,
                RecordType.ROLLBACK,
                applied -> {
                    if (!BrokerContext.isBusy(applied)) {
                        settleVolatile(association, false);
                    }
                    completion.accept(applied);
                });
    }

    /** What becomes of the messages that a prepared branch holds if it is rolled back. */
    private Redelivery ofPrepared(Branch branch, String reason) {
        Holdings held = new Holdings();
        for (Settlement.Entry entry : branch.acknowledged().entries()) {
            Subscription subscription = context.state.subscription(entry.subscriptionId());
            if (subscription != null) {
                Cursor cursor = subscription.cursors().get(entry.partition());
                entry.ranges().forEach(range -> held.add(cursor, range.first(), range.last()));
            }
        }
        Association part = preparedParts.get(branch.id());
        if (part == null) {
            return redeliveries.ofDurable(held, new Redeliveries.Cause(Map.of(), reason));
        }
        part.rollbackReason = reason;
        return redeliveries.ofDurable(held, cause(part));
    }

    private static Redeliveries.Cause cause(Association association) {
        return new Redeliveries.Cause(association.redeliveryOptions, association.rollbackReason);
    }

    /** A connection is gone: what was not prepared dies with it. */
    void disconnected(BrokerConnection connection) {
        for (Association association : List.copyOf(connection.associations)) {
            rollback(association, Outcome.CONNECTION_LOST, BrokerContext::ignore);
        }
    }

    // ---- time

    /** When to call {@link #expire} at the latest; {@code Long.MAX_VALUE} if nothing runs out. */
    long nextDeadlineNs() {
        return lost.isEmpty() ? associations.earliestDeadlineNs() : context.clock.monotonicNs();
    }

    /** Rolls back what ran too long, or lost its connection. */
    void expire(long nowNs) {
        for (int count = lost.size(); count > 0; count--) {
            Association association = lost.remove();
            if (associations.get(association.id) == association) {
                rollback(association, Outcome.CONNECTION_LOST, BrokerContext::ignore);
            }
        }
        for (Association association : associations.expired(nowNs)) {
            rollback(association, Outcome.TIMED_OUT, BrokerContext::ignore);
        }
    }

    // ---- recover, forget, by hand

    /**
     * Answers the keys of all in-doubt branches and of those that an operator settled, one a line.
     *
     * @param qualifier lists only branches with this one; null: all
     */
    void recover(@Nullable String qualifier, Answer answer) {
        List<BranchId> ids = new ArrayList<>();
        for (Branch branch : context.state.branches()) {
            if (branch.state() == BranchState.PREPARED && branch.id().isXa()) {
                ids.add(branch.id());
            }
        }
        context.state.heuristics().forEach(heuristic -> ids.add(heuristic.branch()));
        StringBuilder keys = new StringBuilder();
        for (BranchId id : ids) {
            if (qualifier == null || qualifier.equals(id.qualifier())) {
                keys.append(keys.isEmpty() ? "" : "\r\n").append(id);
            }
        }
        answer.ok(keys.toString());
    }

    void forget(BranchId id, Answer answer) {
        if (context.state.heuristic(id) != null) {
            Records.forget(context.batch.body(), id);
            append(RecordType.FORGET, id, answer.whenApplied(""));
        } else {
            boolean isLive = associations.has(id) || context.state.branch(id) != null;
            answer.refused(
                    isLive ? ErrorCode.XAER_PROTO : ErrorCode.XAER_NOTA,
                    id + (isLive ? " is not finished" : " has no heuristic outcome"));
        }
    }

    /** An operator commits or rolls back an in-doubt branch. */
    void settleByHand(BranchId id, boolean commits, Answer answer) {
        Branch branch = context.state.branch(id);
        if (branch == null || branch.state() != BranchState.PREPARED) {
            answer.refused(
                    ErrorCode.XAER_NOTA,
                    id + " is not prepared: only in-doubt branches can be settled by hand");
            return;
        }
        Redelivery redelivery = commits ? Redelivery.NONE : ofPrepared(branch, "");
        Records.settleByHand(context.batch.body(), id, commits, redelivery);
        append(RecordType.SETTLE_BY_HAND, id, settled(id, commits, answer));
    }
}
