package org.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.metaq.client.ClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the sessions of an application server with a connection consumer's messages (Jakarta
 * Messaging 3.1 §11.2): waits for a message, takes a server session from the pool, which may take
 * its time, loads it with as many messages as are there, and starts it. One thread for each
 * connection consumer.
 *
 * <p>A pool or server session that fails costs no message: all go back to the broker, the exception
 * listener is told, and the next attempt comes after a pause that grows while it fails.
 */
final class FeederThread {
    private static final Logger LOG = LoggerFactory.getLogger(FeederThread.class);

    private static final long PAUSE_MIN_MS = 100;
    private static final long PAUSE_MAX_MS = 10_000;

    private final MetaQConnection connection;
    private final SessionInbox inbox;
    private final BatchSource source;
    private final MetaQConsumer consumer;
    private final ServerSessionPool pool;
    private final int batchCountMax;
    private final Thread thread;
    private long pauseMs = PAUSE_MIN_MS;

    /**
     * A thread that is still to be started.
     *
     * @param core session of the consumer, which has no other
     * @param batchCountMax most messages to load into a server session at once, at least 1
     */
    FeederThread(
            SessionCore core, MetaQConsumer consumer, ServerSessionPool pool, int batchCountMax) {
        this.connection = core.connection();
        this.inbox = core.inbox();
        this.source = new BatchSource(core, consumer);
        this.consumer = consumer;
        this.pool = pool;
        this.batchCountMax = batchCountMax;
        this.thread = Threads.daemon(core.threadName("feeder"), this::run);
    }

    void start() {
        thread.start();
    }

    /**
     * Whether it is to end. It is not waited for: the pool may hold it for long, and a server
     * session may run on this very thread. It takes no message any more once the session is
     * closing.
     */
    private boolean isOver() {
        return inbox.isClosing();
    }

    private void run() {
        try {
            // Read before each look at the inbox: what changes behind that look ends the wait.
            long seen = inbox.signal().version();
            while (!isOver()) {
                if (!feedOneIfThere()) {
                    consumer.requestIfUnbuffered();
                    inbox.await(seen, Long.MAX_VALUE);
                }
                seen = inbox.signal().version();
            }
        } catch (InterruptedException e) {
            LOG.warn("{} was interrupted: its pool gets no more messages", thread.getName());
        } catch (ClientException e) {
            // The connection tells its exception listener.
            LOG.debug("{} ends: {}", thread.getName(), e.getMessage());
        }
    }

    /** False if no message is there, or no connection until the next is. */
    private boolean feedOneIfThere() throws ClientException, InterruptedException {
        try {
            boolean isThere = source.hasNext();
            if (isThere) {
                feedOne();
            }
            return isThere;
        } catch (ClientException e) {
            if (!e.isConnectionLost() || !connection.isRecoverable()) {
                throw e;
            }
            LOG.debug("{} waits for a connection: {}", thread.getName(), e.getMessage());
            return false;
        }
    }

    private void feedOne() throws ClientException, InterruptedException {
        try {
            ServerSession serverSession = pool.getServerSession();
            MetaQSession session = sessionOf(serverSession);
            List<Handed> batch = source.takeBatch(batchCountMax);
            if (!session.core().inbox().loaded().load(batch)) {
                source.giveBack(batch);
                throw new JMSException("the session of the ServerSession is closed");
            }
            start(serverSession, session);
            pauseMs = PAUSE_MIN_MS;
        } catch (JMSException e) {
            failed(e);
        } catch (RuntimeException e) {
            failed(JmsErrors.withCause(new JMSException("the pool failed: " + e), e));
        }
    }

    /** What a session that does not start holds goes back. */
    private static void start(ServerSession serverSession, MetaQSession session)
            throws JMSException, ClientException {
        boolean isStarted = false;
        try {
            serverSession.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                session.core().inbox().loaded().release();
            }
        }
    }

    private MetaQSession sessionOf(ServerSession serverSession) throws JMSException {
        if (serverSession == null) {
            throw new JMSException("the pool gave no ServerSession");
        }
        Session session = serverSession.getSession();
        if (session instanceof MetaQSession ours && ours.core().connection() == connection) {
            return ours;
        }
        throw new JMSException(
                "the ServerSession's session must be one of the connection that the connection"
                        + " consumer belongs to, not "
                        + session);
    }

    private void failed(JMSException failure) throws ClientException, InterruptedException {
        if (isOver()) {
            return;
        }
        LOG.warn(
                "the messages of {} went back to the broker, next attempt in {} ms",
                consumer.destination(),
                pauseMs,
                failure);
        source.pause();
        connection.report(failure);
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
        long seen = inbox.signal().version();
        for (long leftNs = endNs - System.nanoTime();
                leftNs > 0 && !isOver();
                leftNs = endNs - System.nanoTime()) {
            inbox.await(seen, leftNs);
            seen = inbox.signal().version();
        }
        pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2);
        source.resume();
    }
}
