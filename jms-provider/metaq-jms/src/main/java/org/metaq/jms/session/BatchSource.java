package org.metaq.jms.session;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.SettlementBuilder;
import org.metaq.protocol.Command;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a consumer's messages without accounting for them: other sessions will. Guarded by the lock
 * of the consumer's session.
 */
final class BatchSource {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSource.class);

    private final ReentrantLock lock;
    private final SessionInbox inbox;
    private final SessionCore core;
    private final MetaQConsumer consumer;

    BatchSource(SessionCore core, MetaQConsumer consumer) {
        this.lock = core.lock();
        this.inbox = core.inbox();
        this.core = core;
        this.consumer = consumer;
    }

    private ClientConnection client() {
        return core.client();
    }

    /** Whether a message is there to be taken; one that cannot be read goes back at once. */
    boolean hasNext() throws ClientException {
        lock.lock();
        try {
            Handed first = next();
            if (first != null) {
                consumer.putBack(first);
            }
            client().flush();
            return first != null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes up to so many messages, which from now on belong to the caller; none when stopped or
     * closing.
     */
    List<Handed> takeBatch(int countMax) throws ClientException {
        lock.lock();
        try {
            List<Handed> batch = new ArrayList<>();
            while (batch.size() < countMax) {
                Handed next = next();
                if (next == null) {
                    break;
                }
                batch.add(next);
            }
            consumer.pull().ask();
            client().flush();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next message, which from now on belongs to the caller, who holds the lock; one that
     * cannot be read goes back, as delivered.
     */
    @Nullable Handed next() throws ClientException {
        while (inbox.isHandingOut() && !consumer.isClosed()) {
            try {
                return consumer.next(false);
            } catch (JMSException e) {
                LOG.error("a message was given back: {}", e.getMessage(), e);
            }
        }
        return null;
    }

    /** Gives back, as undelivered, what {@link #takeBatch} took. */
    void giveBack(List<Handed> batch) throws ClientException {
        SettlementBuilder undelivered = new SettlementBuilder();
        batch.forEach(m -> m.addTo(undelivered));
        if (!undelivered.isEmpty()) {
            client().call(new Command.Release(undelivered.build(), false, client().nextOpaque()));
        }
    }

    /**
     * Gives back all that was fetched, and asks for nothing until {@link #resume}, on another
     * connection neither.
     */
    void pause() throws ClientException {
        lock.lock();
        try {
            consumer.pause();
            inbox.releaseFetched();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a {@link #pause}. */
    void resume() {
        lock.lock();
        try {
            consumer.endPause();
            if (inbox.isHandingOut()) {
                consumer.startPull();
            }
        } finally {
            lock.unlock();
        }
    }
}
