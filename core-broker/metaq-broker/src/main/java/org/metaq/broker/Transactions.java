package org.metaq.broker;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Association.Phase;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.BranchState;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.store.journal.JournalRecord.Need;

/**
 * Local and XA transactions: which connection works on which branch, and what X/Open XA allows
 * when. Confined to the writer thread.
 */
final class Transactions {
    private final BrokerContext context;
    private final Deliveries deliveries;
    private final Map<BranchId, Association> associations = new HashMap<>();

    /** What prepared branches hold that no record knows; gone with the process. */
    private final Map<BranchId, Association> preparedParts = new HashMap<>();

    /** Branches with a record on its way that changes their state. */
    private final Set<BranchId> underWay = new HashSet<>();

    /** No association's deadline is before this. */
    private long earliestDeadlineNs = Long.MAX_VALUE;

    private Consumer<Association.TemporarySend> temporaryCommit = send -> {};

    Transactions(BrokerContext context, Deliveries deliveries) {
        this.context = context;
        this.deliveries = deliveries;
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

    // ---- work on a branch

    /**
     * The branch that a message belongs to; a local one starts with it.
     *
     * @throws RefusedException if the connection does not work on it, or it would grow too large
     */
    Association forSend(BrokerConnection connection, BranchId id, int length)
            throws RefusedException {
        Association association = associations.get(id);
        if (association == null && !id.isXa()) {
            association = open(connection, id, Long.MAX_VALUE);
        }
        if (association == null || association.phases.get(connection) != Phase.ACTIVE) {
            throw notActive(id);
        }
        if (!association.rollbackOnly.isEmpty()) {
            throw new RefusedException(ErrorCode.XA_RBROLLBACK, association.rollbackOnly);
        }
        long size = association.messageBytes + length;
        if (size > context.config.maxTransactionSizeBytes()) {
            association.rollbackOnly =
                    id
                            + " would hold "
                            + size
                            + " bytes of messages; maxTransactionSize is "
                            + context.config.maxTransactionSizeBytes()
                            + ": it can only be rolled back";
            throw new RefusedException(ErrorCode.TRANSACTION_TOO_LARGE, association.rollbackOnly);
        }
        association.messageBytes = size;
        return association;
    }

    /**
     * A message of the branch was refused: what is left must not be committed as if it were whole.
     */
    void refuseCommit(BrokerConnection connection, BranchId id, String why) {
        Association association = associations.get(id);
        if (association == null && !id.isXa()) {
            association = open(connection, id, Long.MAX_VALUE);
        }
        if (association != null
                && association.phases.get(connection) == Phase.ACTIVE
                && association.rollbackOnly.isEmpty()) {
            association.rollbackOnly = "a message of " + id + " was refused: " + why;
        }
    }

    private Association open(BrokerConnection connection, BranchId id, long deadlineNs) {
        Association association = new Association(id, deadlineNs);
        associations.put(id, association);
        earliestDeadlineNs = Math.min(earliestDeadlineNs, deadlineNs);
        join(association, connection);
        return association;
    }

    private static void join(Association association, BrokerConnection connection) {
        association.phases.put(connection, Phase.ACTIVE);
        connection.associations.add(association);
    }

    private RefusedException notActive(BranchId id) {
        Outcome outcome = context.state.outcomes().of(id);
        if (associations.containsKey(id) || context.state.branch(id) != null) {
            return new RefusedException(
                    ErrorCode.XAER_PROTO, "this connection has not started work on " + id);
        }
        return outcome == Outcome.TIMED_OUT
                ? new RefusedException(ErrorCode.XA_RBTIMEOUT, id + " ran too long: rolled back")
                : new RefusedException(ErrorCode.XAER_NOTA, "no branch " + id);
    }

    // ---- xa_start, xa_end

    void begin(BrokerConnection connection, Command.Begin c) {
        try {
            begin(connection, c.branch(), c.mode(), c.timeoutSeconds());
            BrokerContext.ok(connection, c.opaque(), "");
        } catch (RefusedException e) {
            BrokerContext.error(connection, c.opaque(), e.code(), e.text());
        }
    }

    private void begin(
            BrokerConnection connection, BranchId id, Command.BeginMode mode, int timeoutSeconds)
            throws RefusedException {
        Association association = associations.get(id);
        boolean isKnown = association != null || context.state.branch(id) != null;
        if (mode == Command.BeginMode.NEW) {
            if (isKnown) {
                throw new RefusedException(ErrorCode.XAER_DUPID, id + " exists");
            }
            long timeoutMs =
                    timeoutSeconds > 0
                            ? timeoutSeconds * 1000L
                            : context.config.transactionTimeoutMs();
            open(connection, id, context.clock.monotonicNs() + timeoutMs * 1_000_000L);
            return;
        }
        if (association == null) {
            throw notActive(id);
        }
        Phase phase = association.phases.get(connection);
        if (mode == Command.BeginMode.RESUME && phase != Phase.SUSPENDED) {
            throw new RefusedException(
                    ErrorCode.XAER_PROTO, id + " is not suspended on this connection");
        }
        if (!association.rollbackOnly.isEmpty()) {
            throw new RefusedException(ErrorCode.XA_RBROLLBACK, association.rollbackOnly);
        }
        join(association, connection);
    }

    void end(BrokerConnection connection, Command.End c) {
        Association association = associations.get(c.branch());
        Phase phase = association == null ? null : association.phases.get(connection);
        if (association == null || phase == null || phase == Phase.ENDED) {
            RefusedException refused = notActive(c.branch());
            BrokerContext.error(connection, c.opaque(), refused.code(), refused.text());
        } else if (!connection.holdings.containsAll(c.acknowledged())) {
            Deliveries.notAcquired(connection, c.opaque());
        } else {
            moveAcknowledged(connection, association, c.acknowledged());
            boolean isSuspend = c.mode() == Command.EndMode.SUSPEND;
            association.phases.put(connection, isSuspend ? Phase.SUSPENDED : Phase.ENDED);
            if (c.mode() == Command.EndMode.FAIL && association.rollbackOnly.isEmpty()) {
                association.rollbackOnly = c.branch() + " was ended with TMFAIL";
            }
            BrokerContext.ok(connection, c.opaque(), "");
        }
    }

    private static void moveAcknowledged(
            BrokerConnection connection, Association association, Settlement settlement) {
        connection.holdings.remove(
                settlement,
                (cursor, range) ->
                        association.acknowledged.add(cursor, range.first(), range.last()));
    }

    // ---- xa_prepare

    void prepare(BrokerConnection connection, Command.Prepare c) {
        BranchId id = c.branch();
        Association association = associations.get(id);
        if (association == null) {
            Branch branch = context.state.branch(id);
            RefusedException refused =
                    branch == null
                            ? notActive(id)
                            : new RefusedException(
                                    ErrorCode.XAER_PROTO, id + " is " + branch.state());
            BrokerContext.error(connection, c.opaque(), refused.code(), refused.text());
        } else if (!association.isIdle()) {
            BrokerContext.error(
                    connection, c.opaque(), ErrorCode.XAER_PROTO, id + " is not ended everywhere");
        } else if (!association.rollbackOnly.isEmpty()) {
            rollBackInstead(association, connection, c.opaque());
        } else if (!association.hasWork()) {
            drop(association);
            BrokerContext.ok(connection, c.opaque(), "3");
        } else {
            drop(association);
            preparedParts.put(id, association);
            Records.prepare(context.batch.body(), id, association.acknowledged.durable());
            append(
                    RecordType.PREPARE,
                    id,
                    applied -> BrokerContext.answer(connection, c.opaque(), "0").accept(applied));
        }
    }

    /** The branch is rollback-only: rolls it back and says so. */
    private void rollBackInstead(Association association, BrokerConnection connection, int opaque) {
        String why = association.rollbackOnly;
        rollback(
                association,
                Outcome.ROLLED_BACK,
                applied -> {
                    if (applied instanceof Applied.Refused) {
                        BrokerContext.answer(connection, opaque, "").accept(applied);
                    } else {
                        BrokerContext.error(connection, opaque, ErrorCode.XA_RBROLLBACK, why);
                    }
                });
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

    private void drop(Association association) {
        associations.remove(association.id);
        association.phases.keySet().forEach(c -> c.associations.remove(association));
    }

    // ---- commit

    void commit(BrokerConnection connection, Command.Commit c) {
        BranchId id = c.branch();
        Association association = associations.get(id);
        if (!id.isXa()) {
            commitLocal(connection, c, association);
        } else if (c.onePhase()) {
            commitOnePhase(connection, c, association);
        } else {
            commitPrepared(connection, c, association);
        }
    }

    private void commitLocal(
            BrokerConnection connection, Command.Commit c, @Nullable Association existing) {
        Outcome outcome = existing == null ? context.state.outcomes().of(c.branch()) : null;
        if (outcome != null) {
            answerOutcome(connection, c.branch(), outcome, c.opaque());
            return;
        }
        if (existing == null && c.acknowledged().isEmpty()) {
            // A repeated commit whose branch was lost before anything of it was durable: nothing
            // is known of its sends, so it must not be told that they are committed.
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.XA_RBROLLBACK,
                    "no branch " + c.branch() + ": what it did is rolled back");
            return;
        }
        Association association =
                existing != null ? existing : open(connection, c.branch(), Long.MAX_VALUE);
        if (!connection.holdings.containsAll(c.acknowledged())) {
            association.rollbackOnly =
                    c.branch() + " acknowledges messages that this connection does not hold";
        } else {
            moveAcknowledged(connection, association, c.acknowledged());
        }
        commit(association, connection, c.opaque());
    }

    private void commitOnePhase(
            BrokerConnection connection, Command.Commit c, @Nullable Association association) {
        BranchId id = c.branch();
        if (association != null && association.isIdle()) {
            commit(association, connection, c.opaque());
            return;
        }
        Outcome outcome = context.state.outcomes().of(id);
        if (association != null || context.state.branch(id) != null) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.XAER_PROTO,
                    id + " is " + (association != null ? "not ended" : "prepared"));
        } else if (outcome != null) {
            answerOutcome(connection, id, outcome, c.opaque());
        } else {
            BrokerContext.error(connection, c.opaque(), ErrorCode.XAER_NOTA, "no branch " + id);
        }
    }

    private void commit(Association association, BrokerConnection connection, int opaque) {
        if (!association.rollbackOnly.isEmpty()) {
            rollBackInstead(association, connection, opaque);
            return;
        }
        drop(association);
        Records.commit(
                context.batch.body(), association.id, true, association.acknowledged.durable());
        append(
                RecordType.COMMIT,
                association.id,
                applied -> {
                    if (!(applied instanceof Applied.Refused)) {
                        settleVolatile(association, true);
                    }
                    BrokerContext.answer(connection, opaque, "").accept(applied);
                });
    }

    private void commitPrepared(
            BrokerConnection connection, Command.Commit c, @Nullable Association association) {
        BranchId id = c.branch();
        Branch branch = context.state.branch(id);
        Outcome outcome = context.state.outcomes().of(id);
        if (association != null) {
            BrokerContext.error(
                    connection, c.opaque(), ErrorCode.XAER_PROTO, id + " is not prepared");
        } else if (branch != null && branch.state() == BranchState.PREPARED) {
            Records.commit(context.batch.body(), id, false, Settlement.NONE);
            append(RecordType.COMMIT, id, settled(connection, c.opaque(), id, true));
        } else if (outcome != null) {
            answerOutcome(connection, id, outcome, c.opaque());
        } else {
            BrokerContext.error(connection, c.opaque(), ErrorCode.XAER_NOTA, "no branch " + id);
        }
    }

    /** Completion of the second phase. */
    private Consumer<Applied> settled(
            BrokerConnection connection, int opaque, BranchId id, boolean isCommitted) {
        return applied -> {
            Association part = preparedParts.remove(id);
            if (part != null && !(applied instanceof Applied.Refused)) {
                settleVolatile(part, isCommitted);
            }
            BrokerContext.answer(connection, opaque, "").accept(applied);
        };
    }

    private void settleVolatile(Association association, boolean isCommitted) {
        if (isCommitted) {
            association.acknowledged.forEachVolatile(Cursor::acknowledge);
            association.temporarySends.forEach(temporaryCommit);
        } else {
            association.acknowledged.forEachVolatile(deliveries::giveBackDelivered);
        }
    }

    private static void answerOutcome(
            BrokerConnection connection, BranchId id, Outcome outcome, int opaque) {
        switch (outcome) {
            case COMMITTED -> BrokerContext.ok(connection, opaque, "");
            case TIMED_OUT ->
                    BrokerContext.error(
                            connection,
                            opaque,
                            ErrorCode.XA_RBTIMEOUT,
                            id + " ran too long: rolled back");
            case ROLLED_BACK, CONNECTION_LOST ->
                    BrokerContext.error(
                            connection, opaque, ErrorCode.XA_RBROLLBACK, id + " was rolled back");
        }
    }

    // ---- rollback

    void rollback(BrokerConnection connection, Command.Rollback c) {
        BranchId id = c.branch();
        Association association = associations.get(id);
        if (!id.isXa()) {
            rollbackLocal(connection, c, association);
            return;
        }
        Branch branch = context.state.branch(id);
        Outcome outcome = context.state.outcomes().of(id);
        if (association != null) {
            rollback(
                    association,
                    Outcome.ROLLED_BACK,
                    BrokerContext.answer(connection, c.opaque(), ""));
        } else if (branch != null) {
            Records.rollback(context.batch.body(), id, Outcome.ROLLED_BACK, Settlement.NONE);
            append(RecordType.ROLLBACK, id, settled(connection, c.opaque(), id, false));
        } else if (outcome != null && outcome != Outcome.COMMITTED) {
            BrokerContext.ok(connection, c.opaque(), "");
        } else {
            BrokerContext.error(connection, c.opaque(), ErrorCode.XAER_NOTA, "no branch " + id);
        }
    }

    private void rollbackLocal(
            BrokerConnection connection, Command.Rollback c, @Nullable Association existing) {
        if (!connection.holdings.containsAll(c.delivered())) {
            Deliveries.notAcquired(connection, c.opaque());
            return;
        }
        Association association =
                existing != null ? existing : open(connection, c.branch(), Long.MAX_VALUE);
        moveAcknowledged(connection, association, c.delivered());
        rollback(
                association, Outcome.ROLLED_BACK, BrokerContext.answer(connection, c.opaque(), ""));
    }

    private void rollback(Association association, Outcome outcome, Consumer<Applied> completion) {
        drop(association);
        Records.rollback(
                context.batch.body(), association.id, outcome, association.acknowledged.durable());
        append(
                RecordType.ROLLBACK,
                association.id,
                applied -> {
                    settleVolatile(association, false);
                    completion.accept(applied);
                });
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
        return earliestDeadlineNs;
    }

    /** Rolls back what ran too long. */
    void expire(long nowNs) {
        if (nowNs < earliestDeadlineNs) {
            return;
        }
        earliestDeadlineNs = Long.MAX_VALUE;
        for (Association association : List.copyOf(associations.values())) {
            if (association.deadlineNs <= nowNs) {
                rollback(association, Outcome.TIMED_OUT, BrokerContext::ignore);
            } else {
                earliestDeadlineNs = Math.min(earliestDeadlineNs, association.deadlineNs);
            }
        }
    }

    // ---- recover, forget

    void recover(BrokerConnection connection, Command.Recover c) {
        StringBuilder keys = new StringBuilder();
        for (Branch branch : context.state.branches()) {
            if (branch.state() == BranchState.PREPARED && branch.id().isXa()) {
                keys.append(keys.isEmpty() ? "" : "\r\n").append(branch.id());
            }
        }
        BrokerContext.ok(connection, c.opaque(), keys.toString());
    }

    /** No heuristic outcome is kept yet, so there is none to forget. */
    void forget(BrokerConnection connection, Command.Forget c) {
        boolean isLive =
                associations.containsKey(c.branch()) || context.state.branch(c.branch()) != null;
        BrokerContext.error(
                connection,
                c.opaque(),
                isLive ? ErrorCode.XAER_PROTO : ErrorCode.XAER_NOTA,
                c.branch() + (isLive ? " is not finished" : " has no heuristic outcome"));
    }
}
