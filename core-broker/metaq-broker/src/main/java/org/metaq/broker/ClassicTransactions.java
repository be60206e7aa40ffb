package org.metaq.broker;

import org.metaq.broker.state.Branch;
import org.metaq.broker.state.BranchState;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;

/**
 * MetaQ's {@code transaction} command over {@link Transactions}. Its clients do not wait between
 * END and PREPARE and may use another connection for the second phase, so only a local transaction
 * is tied to its connection. Confined to the writer thread.
 */
final class ClassicTransactions {
    private final BrokerContext context;
    private final Associations associations;
    private final Transactions transactions;
    private final ClassicStats stats;

    ClassicTransactions(
            BrokerContext context,
            Associations associations,
            Transactions transactions,
            ClassicStats stats) {
        this.context = context;
        this.associations = associations;
        this.transactions = transactions;
        this.stats = stats;
    }

    void handle(BrokerConnection connection, Command.Transaction c) {
        BranchId branch = c.branch();
        Answer answer = new ClassicAnswer(connection, c);
        if (branch == null) {
            transactions.recover(c.qualifier().isEmpty() ? null : c.qualifier(), answer);
        } else if (c.type() == Command.TransactionType.BEGIN) {
            begin(connection, branch, c.timeoutSeconds(), answer);
        } else if (branch.isXa()) {
            xa(connection, branch, c, answer);
        } else if (!associations.joinClassic(connection, branch)) {
            answer.refused(ErrorCode.XAER_NOTA, notStarted(branch));
        } else {
            local(connection, branch, c, answer);
        }
    }

    /** Idempotent; joins a branch that is there. */
    private void begin(
            BrokerConnection connection, BranchId branch, int timeoutSeconds, Answer answer) {
        boolean isKnown =
                associations.has(branch)
                        || context.state.branch(branch) != null
                        || context.state.heuristic(branch) != null;
        if (!associations.joinClassic(connection, branch)) {
            if (isKnown) {
                answer.refused(
                        ErrorCode.XAER_DUPID,
                        branch + " is prepared, or another connection's transaction");
                return;
            }
            long maxMs = context.config.transactionTimeoutMs();
            long timeoutMs = timeoutSeconds > 0 ? Math.min(timeoutSeconds * 1000L, maxMs) : maxMs;
            long nowNs = context.clock.monotonicNs();
            Association.Worker worker = new Association.Worker(connection, Associations.NO_SESSION);
            associations.open(worker, branch, nowNs + timeoutMs * 1_000_000L);
        }
        stats.begin(branch.isXa());
        answer.ok("");
    }

    private boolean isPrepared(BranchId id) {
        Branch branch = context.state.branch(id);
        return branch != null && branch.state() == BranchState.PREPARED;
    }

    private void xa(
            BrokerConnection connection, BranchId branch, Command.Transaction c, Answer answer) {
        // an END may still be on its way
        associations.endAll(branch);
        switch (c.type()) {
            case END -> {
                // by its definition it has no answer
            }
            case PREPARE ->
                    transactions.prepare(
                            connection, new Command.Prepare(branch, c.opaque()), answer);
            case COMMIT_ONE_PHASE -> {
                boolean isOnePhase = !isPrepared(branch);
                commit(connection, branch, isOnePhase, c.opaque(), answer);
            }
            case COMMIT_TWO_PHASE -> commit(connection, branch, false, c.opaque(), answer);
            case ROLLBACK -> rollback(connection, branch, c.opaque(), answer);
            case FORGET -> transactions.forget(branch, answer);
            case BEGIN, RECOVER -> throw new IllegalStateException("handled before: " + c);
        }
    }

    private void local(
            BrokerConnection connection, BranchId branch, Command.Transaction c, Answer answer) {
        switch (c.type()) {
            case END -> {
                // by its definition it has no answer
            }
            case COMMIT_ONE_PHASE, COMMIT_TWO_PHASE ->
                    commit(connection, branch, true, c.opaque(), answer);
            case ROLLBACK -> rollback(connection, branch, c.opaque(), answer);
            default ->
                    answer.refused(
                            ErrorCode.INTERNAL, c.type() + " is not for a local transaction");
        }
    }

    private void commit(
            BrokerConnection connection,
            BranchId branch,
            boolean isOnePhase,
            int opaque,
            Answer answer) {
        stats.commit();
        transactions.commit(
                connection,
                new Command.Commit(branch, isOnePhase, Settlement.NONE, opaque),
                answer);
    }

    private void rollback(BrokerConnection connection, BranchId branch, int opaque, Answer answer) {
        stats.rollback();
        transactions.rollback(
                connection, new Command.Rollback(branch, Settlement.NONE, opaque), answer);
    }

    /** What MetaQ says of a transaction that it does not know. */
    static String notStarted(BranchId branch) {
        return (branch.isXa() ? "XA transaction '" : "Local transaction '")
                + branch
                + "' has not been started.";
    }

    /** Refusals are 500 with the code of an XAException in the text, which the client reads. */
    private record ClassicAnswer(BrokerConnection connection, Command.Transaction command)
            implements Answer {
        @Override
        public void ok(String text) {
            BrokerContext.ok(connection, command.opaque(), text);
        }

        @Override
        public void refused(ErrorCode code, String text) {
            BranchId branch = command.branch();
            if (code != ErrorCode.XAER_NOTA || branch == null) {
                fail("XAException:code=" + code.xaCode() + ",msg=" + text);
            } else if (command.type() == Command.TransactionType.FORGET) {
                ok("");
            } else if (branch.isXa()) {
                fail("XAException:code=" + code.xaCode() + ",msg=" + notStarted(branch));
            } else {
                fail(notStarted(branch));
            }
        }

        private void fail(String text) {
            connection.link().result(command.opaque(), ErrorCode.INTERNAL.status(), text);
        }
    }
}
