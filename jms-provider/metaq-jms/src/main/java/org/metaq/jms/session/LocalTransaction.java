package org.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.Settlement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of a transacted session, one after the other: each is a local branch, which the
 * broker knows from its first send on. Guarded by the session's lock, which the caller holds.
 */
final class LocalTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(LocalTransaction.class);

    private final ClientConnection client;
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
            ClientConnection client, SessionInbox inbox, PendingSends pending, String sessionName) {
        this.client = client;
        this.inbox = inbox;
        this.pending = pending;
        this.sessionName = sessionName;
    }

    private BranchId branch() {
        return BranchId.local(sessionName, number);
    }

    /** The branch for a send, which thereby has one. */
    BranchId branchForSend() {
        hasSends = true;
        return branch();
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
        int missing = pending.await(client.options().callTimeoutMs());
        ClientException failedSend = pending.failure();
        if (failedSend == null && missing > 0) {
            throw new ResourceAllocationException(
                    "commit of " + branch() + ": " + missing + " sends are not answered yet");
        }
        if (failedSend != null) {
            JMSException failure =
                    JmsErrors.of("commit: a send of the transaction failed", failedSend);
            rollbackAfter(failure);
            throw rolledBack(failure);
        }
        Settlement consumed = inbox.unsettled();
        if (!hasSends && consumed.isEmpty()) {
            return;
        }
        try {
            client.call(new Command.Commit(branch(), true, consumed, client.nextOpaque()));
        } catch (ClientException e) {
            throw commitFailed(e);
        }
        inbox.clearUnsettled();
        next();
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
            throw JmsErrors.of("rollback of " + branch, e);
        }
    }

    private void giveBack() throws ClientException {
        Settlement consumed = inbox.unsettled();
        @Nullable Command back = null;
        if (hasSends) {
            back = new Command.Rollback(branch(), consumed, client.nextOpaque());
        } else if (!consumed.isEmpty()) {
            // The broker never heard of the branch.
            back = new Command.Release(consumed, true, client.nextOpaque());
        }
        next();
        inbox.clearUnsettled();
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
