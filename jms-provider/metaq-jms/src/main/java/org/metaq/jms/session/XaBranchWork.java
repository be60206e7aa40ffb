package org.metaq.jms.session;

import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.common.BranchId;
import org.metaq.jms.xa.BranchWork;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;

/** A session's work as a branch takes it in. Thread-safe: the session's lock. */
final class XaBranchWork implements BranchWork {
    private final SessionCore core;

    XaBranchWork(SessionCore core) {
        this.core = core;
    }

    @Override
    public int session() {
        return core.number();
    }

    @Override
    public ClientConnection connection() {
        return core.connection().client();
    }

    @Override
    public ClientConnection ready() throws ClientException {
        core.lock().lock();
        try {
            ClientConnection now = core.ready();
            if (core.inbox().isWorkLost()) {
                // A branch without it would do again what comes of it when it comes again.
                throw ClientException.of(
                        ErrorCode.CONNECTION_LOST,
                        "the message that the branch was to take in came over a connection that was"
                                + " lost, and comes again");
            }
            return now;
        } finally {
            core.lock().unlock();
        }
    }

    @Override
    public void begin(BranchId branch) {
        core.lock().lock();
        try {
            core.setXaBranch(branch);
        } finally {
            core.lock().unlock();
        }
    }

    @Override
    public @Nullable BranchId current() {
        core.lock().lock();
        try {
            return core.xaBranch();
        } finally {
            core.lock().unlock();
        }
    }

    @Override
    public Ended end() {
        core.lock().lock();
        try {
            boolean isLost = core.isBranchLost();
            core.setXaBranch(null);
            core.inbox().clearWorkLost();
            Settlement consumed = core.inbox().unsettled();
            core.inbox().clearUnsettled();
            core.outbox().pending().await(connection(), connection().options().callTimeoutMs());
            return new Ended(consumed, isLost);
        } finally {
            core.lock().unlock();
        }
    }

    @Override
    public @Nullable ClientException takeFailedSend() {
        PendingSends pending = core.outbox().pending();
        ClientException failedSend = pending.failure();
        pending.reset();
        return failedSend;
    }

    @Override
    public void giveBack(Settlement consumed, GiveBack how) throws ClientException {
        core.lock().lock();
        try {
            core.inbox()
                    .giveBack(
                            consumed.isEmpty()
                                    ? null
                                    : new Command.Release(
                                            consumed,
                                            how.counted(),
                                            how.reason(),
                                            connection().nextOpaque()));
        } finally {
            core.lock().unlock();
        }
    }
}
