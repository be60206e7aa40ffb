package org.metaq.broker;

import org.metaq.broker.Association.Phase;
import org.metaq.broker.Association.Worker;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;

/**
 * What connections do in local transactions and XA branches: which session works on which, and what
 * it sends and acknowledges there. Confined to the writer thread.
 */
final class BranchWork {
    private final BrokerContext context;
    private final Associations associations;
    private final Refusals refusals;

    BranchWork(BrokerContext context, Associations associations) {
        this.context = context;
        this.associations = associations;
        this.refusals = new Refusals(context, associations);
    }

    // ---- xa_start, xa_end

    void begin(BrokerConnection connection, Command.Begin c, Answer answer) {
        try {
            Worker worker = new Worker(connection, c.session());
            if (c.mode() == Command.BeginMode.NEW) {
                beginNew(worker, c.branch(), c.timeoutSeconds());
            } else {
                beginAgain(worker, c.branch(), c.mode());
            }
            answer.ok("");
        } catch (RefusedException e) {
            answer.refused(e);
        }
    }

    private void beginNew(Worker worker, BranchId id, int timeoutSeconds) throws RefusedException {
        Outcome outcome = context.state.outcomes().of(id);
        // lost with a connection, over which the answer to its start may have been lost too
        boolean isFinished = outcome != null && outcome != Outcome.CONNECTION_LOST;
        if (associations.has(id)
                || context.state.branch(id) != null
                || context.state.heuristic(id) != null
                || isFinished) {
            throw new RefusedException(
                    ErrorCode.XAER_DUPID,
                    id + (isFinished ? " was there, and is finished" : " exists"));
        }
        long timeoutMs =
                timeoutSeconds > 0 ? timeoutSeconds * 1000L : context.config.transactionTimeoutMs();
        associations.open(worker, id, context.clock.monotonicNs() + timeoutMs * 1_000_000L);
    }

    private void beginAgain(Worker worker, BranchId id, Command.BeginMode mode)
            throws RefusedException {
        Association association = associations.get(id);
        if (association == null) {
            throw refusals.notActive(id);
        }
        if (!association.rollbackOnly.isEmpty()) {
            throw new RefusedException(ErrorCode.XA_RBROLLBACK, association.rollbackOnly);
        }
        Phase phase = association.phases.get(worker);
        boolean isResume = mode == Command.BeginMode.RESUME;
        if (phase == Phase.ACTIVE || (!isResume && phase == Phase.SUSPENDED)) {
            throw new RefusedException(
                    ErrorCode.XAER_PROTO, "for this session " + id + " is " + phase);
        }
        if (isResume) {
            Worker suspended = association.suspendedFor(worker);
            if (suspended == null) {
                throw new RefusedException(ErrorCode.XAER_PROTO, id + " is not suspended");
            }
            association.phases.put(suspended, Phase.ENDED);
        }
        Associations.join(association, worker);
    }

    void end(BrokerConnection connection, Command.End c, Answer answer) {
        Worker worker = new Worker(connection, c.session());
        Association association = associations.get(c.branch());
        Phase phase = association == null ? null : association.phases.get(worker);
        boolean isSuspend = c.mode() == Command.EndMode.SUSPEND;
        if (association == null
                || phase == null
                || phase == Phase.ENDED
                || (isSuspend && phase == Phase.SUSPENDED)) {
            answer.refused(refusals.notActive(c.branch()));
        } else if (!connection.holdings.containsAll(c.acknowledged())) {
            answer.refused(ErrorCode.NOT_ACQUIRED, Settlements.NOT_ACQUIRED);
        } else {
            association.acknowledge(connection, c.acknowledged());
            association.phases.put(worker, isSuspend ? Phase.SUSPENDED : Phase.ENDED);
            if (c.mode() == Command.EndMode.FAIL && association.rollbackOnly.isEmpty()) {
                association.rollbackOnly = c.branch() + " was ended with TMFAIL";
            }
            answer.ok("");
        }
    }

    // ---- messages

    /**
     * The branch that a message belongs to; a local one starts with it.
     *
     * @throws RefusedException if the connection does not work on it, or it would grow too large
     */
    Association forSend(BrokerConnection connection, BranchId id, int length)
            throws RefusedException {
        Association association = associations.get(id);
        if (association == null && !id.isXa()) {
            association = associations.openLocal(connection, id);
        }
        if (association == null || !association.isActive(connection)) {
            throw refusals.notActive(id);
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
            association = associations.openLocal(connection, id);
        }
        if (association != null && association.isActive(connection)) {
            association.refuseCommit(why);
        }
    }
}
