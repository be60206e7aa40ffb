package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's own message listener, for sessions that a connection consumer loads (Jakarta
 * Messaging 3.1 §11.2.1). The application server runs it on a thread of its own; what is loaded is
 * settled by this session's mode or transaction.
 */
final class SessionListener {
    private static final Logger LOG = LoggerFactory.getLogger(SessionListener.class);

    private final SessionCore core;
    private final SessionInbox inbox;
    private final LoadedMessages loaded;

    // Set by whoever makes the server session, read by the thread that runs it.
    private volatile @Nullable MessageListener listener;

    SessionListener(SessionCore core) {
        this.core = core;
        this.inbox = core.inbox();
        this.loaded = inbox.loaded();
    }

    @Nullable MessageListener listener() {
        return listener;
    }

    /**
     * Sets the listener; null: none.
     *
     * @throws IllegalStateException if the session has consumers, which exclude it
     */
    void setListener(@Nullable MessageListener newListener) throws IllegalStateException {
        if (newListener != null && !inbox.consumers().isEmpty()) {
            throw new IllegalStateException(
                    "a session that has consumers cannot have a message listener of its own");
        }
        listener = newListener;
    }

    /**
     * A session with its own listener receives in no other way.
     *
     * @throws IllegalStateException if there is a listener
     */
    void requireNone() throws IllegalStateException {
        if (listener != null) {
            throw new IllegalStateException(
                    "a session with a message listener of its own cannot have consumers");
        }
    }

    /**
     * Gives the listener all that was loaded, one after the other; waits while the connection is
     * stopped, and ends early when the session is being closed.
     *
     * @throws IllegalStateRuntimeException if there is no listener; what was loaded went back
     */
    void run() {
        MessageListener current = listener;
        try {
            if (current == null) {
                loaded.release();
                throw new IllegalStateRuntimeException(
                        "run() is for sessions with a message listener of their own");
            }
            for (Handed handed = loaded.next(); handed != null; handed = loaded.next()) {
                call(handed, current);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("a server session was interrupted; it goes on when it is run again");
        } catch (ClientException e) {
            // The connection tells its exception listener; the broker gives all to others.
            LOG.debug("a server session ends: {}", e.getMessage());
        }
    }

    private void call(Handed handed, MessageListener current) throws ClientException {
        String failure = "";
        try {
            handed.message().setAcknowledger(core::acknowledge);
            failure = ListenerThread.call(handed, current);
        } finally {
            inbox.listenerReturned(failure);
        }
    }
}
