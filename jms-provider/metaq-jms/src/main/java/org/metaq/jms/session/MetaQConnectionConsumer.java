package org.metaq.jms.session;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSessionPool;
import org.jspecify.annotations.Nullable;

/**
 * A connection consumer: a session of its own that nobody sees, with one consumer, whose messages a
 * thread loads into the sessions of an application server's pool. So it starts, stops and closes
 * with its connection as every session does. Thread-safe.
 */
final class MetaQConnectionConsumer implements ConnectionConsumer {
    private final MetaQSession session;
    private final ServerSessionPool pool;

    private MetaQConnectionConsumer(MetaQSession session, ServerSessionPool pool) {
        this.session = session;
        this.pool = pool;
    }

    /**
     * Subscribes and starts feeding the pool.
     *
     * @throws JMSException if there is no pool, {@code maxMessages} is less than 1, or the
     *     destination cannot be subscribed to
     */
    static MetaQConnectionConsumer open(
            MetaQConnection connection,
            Subscription subscription,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        if (pool == null) {
            throw new JMSException("a connection consumer needs a ServerSessionPool");
        }
        if (maxMessages < 1) {
            throw new JMSException("maxMessages is " + maxMessages + "; it must be at least 1");
        }
        // CLIENT: what is taken here and not loaded yet belongs to nobody, and goes back at close.
        MetaQSession session = connection.newSession(AcknowledgeMode.CLIENT, Domain.UNIFIED);
        try {
            MetaQConsumer consumer = session.core().createConsumer(subscription);
            new FeederThread(session.core(), consumer, pool, maxMessages).start();
            return new MetaQConnectionConsumer(session, pool);
        } catch (JMSException e) {
            session.close();
            throw e;
        }
    }

    @Override
    public ServerSessionPool getServerSessionPool() throws JMSException {
        if (session.core().inbox().isClosing()) {
            throw new IllegalStateException("the connection consumer is closed");
        }
        return pool;
    }

    /**
     * Ends the subscription's consumer; what no session has got goes back to the broker. Sessions
     * keep what they were loaded with. From any thread, listeners included.
     */
    @Override
    public void close() throws JMSException {
        session.close();
    }
}
