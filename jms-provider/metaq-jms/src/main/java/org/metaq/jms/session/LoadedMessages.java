package org.metaq.jms.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.SettlementBuilder;
import org.metaq.protocol.Command;

/**
 * What a connection consumer loaded into a session, and its listener has not got yet. Guarded by
 * the session's lock.
 */
final class LoadedMessages {
    private final SessionInbox inbox;
    private final ReentrantLock lock;
    private final SessionLink link;
    private final Deque<Handed> messages = new ArrayDeque<>();

    LoadedMessages(SessionInbox inbox, ReentrantLock lock, SessionLink link) {
        this.inbox = inbox;
        this.lock = lock;
        this.link = link;
    }

    /**
     * Adds messages; from now on they belong to this session.
     *
     * @return false, and nothing was added, once it is closing
     */
    boolean load(List<Handed> batch) {
        lock.lock();
        try {
            if (inbox.isClosing()) {
                return false;
            }
            messages.addAll(batch);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next message, which counts as being listened to until {@link
     * SessionInbox#listenerReturned}; waits while deliveries are stopped.
     *
     * @return null if there is none, or the session is closing
     */
    @Nullable Handed next() throws InterruptedException {
        while (true) {
            long seen = inbox.signal().version();
            lock.lock();
            try {
                if (inbox.isClosing() || messages.isEmpty()) {
                    return null;
                }
                if (inbox.isHandingOut() && messages.element().isOf(link.client())) {
                    Handed handed = messages.remove();
                    inbox.listenTo(handed);
                    return handed;
                }
            } finally {
                lock.unlock();
            }
            inbox.signal().await(seen, Long.MAX_VALUE);
        }
    }

    /** Forgets what came over another connection than the one that the session goes on with. */
    void forgetLost(ClientConnection now) {
        messages.removeIf(m -> !m.isOf(now));
    }

    /** Gives all back, as undelivered. */
    void release() throws ClientException {
        lock.lock();
        try {
            SettlementBuilder undelivered = new SettlementBuilder();
            drainInto(undelivered);
            if (!undelivered.isEmpty()) {
                ClientConnection client = link.client();
                client.call(new Command.Release(undelivered.build(), false, client.nextOpaque()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds all to a settlement, and forgets it. The caller holds the lock. */
    void drainInto(SettlementBuilder undelivered) {
        messages.forEach(m -> m.addTo(undelivered));
        messages.clear();
    }
}
