package org.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of a transacted session, one after the other: each is a local branch, which the
 * broker knows from its first send on. Guarded by the session's lock, which the caller holds.
 */
final class LocalTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(LocalTransaction.class);

    private final MetaQConnection connection;
    private final SessionLink link;
    private final SessionInbox inbox;
    private final PendingSends pending;
    private final String sessionName;
    private long number = 1;
    private boolean hasSends;

    /**
     * The first transaction of a session.
     *
     * @param sessionName unique for good at this broker, no blank and no colon
     */
    LocalTransaction(
            MetaQConnection connection,
            SessionLink link,
            SessionInbox inbox,
            PendingSends pending,
            String sessionName) {
        this.connection = connection;
        this.link = link;
        this.inbox = inbox;
        this.pending = pending;
        this.sessionName = sessionName;
    }

    private ClientConnection client() {
        return link.client();
    }

    private BranchId branch() {
        return BranchId.local(sessionName, number);
    }

    /**
     * The branch for a send, which thereby has one.
     *
     * @throws TransactionRolledBackException if the transaction lost a part of its work
     */
    BranchId branchForSend() throws TransactionRolledBackException {
        inbox.requireWorkKept();
        hasSends = true;
        return branch();
    }

    /** The branch ended with the connection that is lost; what it did must be told once. */
    void forgetLost() {
        if (hasSends) {
            inbox.markWorkLost();
            hasSends = false;
            pending.reset();
        }
    }

    /**
     * Commits and starts the next.
     *
     * @throws TransactionRolledBackException if it was rolled back instead; the next has started
     * @throws ResourceAllocationException if the broker takes no work just now, or has not yet
     *     answered all sends; the transaction is as it was
     * @throws JMSException if the outcome is not known; the next has started
     */
    void commit() throws JMSException {
        try {
            inbox.requireWorkKept();
        } catch (TransactionRolledBackException e) {
            rollbackAfter(e);
            throw e;
        }
        int missing = pending.await(client(), client().options().callTimeoutMs());
        ClientException failedSend = pending.failure();
        if (failedSend == null && missing > 0) {
            throw new ResourceAllocationException(
                    "commit of " + branch() + ": " + missing + " sends are not answered yet");
        }
        if (failedSend != null) {
            throw sendFailed(failedSend);
        }
        Settlement consumed = inbox.unsettled();
        if (!hasSends && consumed.isEmpty()) {
            return;
        }
        try {
            commit(branch(), consumed);
        } catch (ClientException e) {
            throw commitFailed(e);
        }
        inbox.clearUnsettled();
        next();
    }

    /**
     * A commit whose answer was lost with the connection is asked for again on the next, where the
     * broker tells what became of it: it knows the branch's outcome, or there was none, and nothing
     * of it is done any more.
     */
    private void commit(BranchId branch, Settlement consumed) throws ClientException {
        ClientConnection client = client();
        ClientException unknown = null;
        while (true) {
            try {
                client.call(new Command.Commit(branch, true, consumed, client.nextOpaque()));
                return;
            } catch (ClientException e) {
                if (!e.isConnectionLost() || !connection.isRecoverable()) {
                    throw unknown == null || !e.isConnectionLost() ? e : unknown;
                }
                if (e.isOutcomeUnknown()) {
                    unknown = e;
                } else if (unknown == null) {
                    throw ClientException.of(
                            ErrorCode.XA_RBROLLBACK,
                            branch + " ended with its connection: " + e.getMessage());
                }
            }
            client = next(unknown);
        }
    }

    private ClientConnection next(ClientException unknown) throws ClientException {
        try {
            return connection.awaitClient();
        } catch (ClientException e) {
            unknown.addSuppressed(e);
            throw unknown;
        }
    }

    private JMSException sendFailed(ClientException e) {
        JMSException failure = JmsErrors.of("commit: a send of the transaction failed", e);
        rollbackAfter(failure);
        return rolledBack(failure);
    }

    private JMSException commitFailed(ClientException e) {
        if (e.isOutcomeUnknown()) {
            inbox.clearUnsettled();
            JMSException unknown =
                    new JMSException(
                            "commit of "
                                    + branch()
                                    + ": the outcome is unknown, it may have been committed: "
                                    + e.getMessage(),
                            e.code().name());
            next();
            return JmsErrors.withCause(unknown, e);
        }
        ClientException failedSend = pending.failure();
        if (failedSend != null) {
            return sendFailed(failedSend);
        }
        JMSException failure = JmsErrors.of("commit of " + branch(), e);
        if (failure instanceof ResourceAllocationException) {
            return failure;
        }
        rollbackAfter(failure);
        return rolledBack(failure);
    }

    private static JMSException rolledBack(JMSException failure) {
        if (failure instanceof TransactionRolledBackException) {
            return failure;
        }
        return JmsErrors.withCause(
                new TransactionRolledBackException(
                        failure.getMessage() + "; the transaction was rolled back",
                        failure.getErrorCode()),
                failure);
    }

    private void rollbackAfter(JMSException failure) {
        try {
            giveBack();
        } catch (ClientException e) {
            // What is not rolled back now ends with the connection.
            LOG.debug("no rollback after '{}': {}", failure.getMessage(), e.getMessage());
        }
    }

    /** Rolls back: what was sent is dropped, what was received comes again. */
    void rollback() throws JMSException {
        BranchId branch = branch();
        try {
            giveBack();
        } catch (ClientException e) {
            if (e.isConnectionLost() && connection.isRecoverable()) {
                LOG.debug("{} was rolled back with its connection", branch);
                return;
            }
            throw JmsErrors.of("rollback of " + branch, e);
        }
    }

    private void giveBack() throws ClientException {
        Settlement consumed = inbox.unsettled();
        @Nullable Command back = null;
        if (hasSends) {
            back = new Command.Rollback(branch(), consumed, client().nextOpaque());
        } else if (!consumed.isEmpty()) {
            // The broker never heard of the branch.
            back = new Command.Release(consumed, true, client().nextOpaque());
        }
        next();
        inbox.clearUnsettled();
        inbox.clearWorkLost();
        if (back != null) {
            inbox.giveBack(back);
        }
    }

    private void next() {
        number++;
        hasSends = false;
        pending.reset();
    }
}
