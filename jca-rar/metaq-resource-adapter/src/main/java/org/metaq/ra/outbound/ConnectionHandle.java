package org.metaq.ra.outbound;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an application has in place of a connection: one session at a time (Jakarta EE Platform
 * §6.7), which is the managed connection's. Not started, it lets receives wait.
 *
 * <p>Thread-safe: its own monitor, not held while it calls anything else.
 */
public final class ConnectionHandle implements QueueConnection, TopicConnection {
    // Guarded by this.
    private MetaQManagedConnection managed;
    private @Nullable WorkHandle session;
    private boolean isStarted;
    private boolean isClosed;

    ConnectionHandle(MetaQManagedConnection managed) {
        this.managed = managed;
    }

    /** Whose handle it is, or was when it was closed. */
    synchronized MetaQManagedConnection managed() {
        return managed;
    }

    private synchronized MetaQManagedConnection open() throws IllegalStateException {
        if (isClosed) {
            throw new IllegalStateException("the connection is closed");
        }
        return managed;
    }

    // ---- sessions

    /**
     * Without transaction the session acknowledges at once, whatever the arguments; in one it
     * belongs to that (Jakarta Messaging 3.1, Connection.createSession).
     */
    private WorkHandle newSession(Class<?> type) throws JMSException {
        Session target = open().session();
        return keep(new WorkHandle(type, target, null, this));
    }

    private synchronized WorkHandle keep(WorkHandle made) throws JMSException {
        WorkHandle before = session;
        if (before != null && before.isOpen()) {
            throw new IllegalStateException(
                    "the connection has an open session: close it first, or use a connection for"
                            + " each (Jakarta EE Platform, 6.7)");
        }
        session = made;
        return made;
    }

    @Override
    public Session createSession() throws JMSException {
        return newSession(Session.class).as(Session.class);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return createSession();
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return createSession();
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode)
            throws JMSException {
        return newSession(QueueSession.class).as(QueueSession.class);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode)
            throws JMSException {
        return newSession(TopicSession.class).as(TopicSession.class);
    }

    /** The same, as a context, whose close closes this. */
    JMSContext asContext() throws JMSException {
        return keep(new ContextHandle(open().context(), this)).as(JMSContext.class);
    }

    // ---- life

    @Override
    public synchronized void start() throws JMSException {
        var unused = open();
        isStarted = true;
        notifyAll();
    }

    /**
     * Waits until it is started or closed.
     *
     * @param timeoutMs 0: no wait; {@link Long#MAX_VALUE}: no limit
     * @return what is left of the time, milliseconds; negative if it was not started in it
     */
    synchronized long awaitStarted(long timeoutMs) throws JMSException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        long leftMs = timeoutMs;
        try {
            while (!isStarted && !isClosed && leftMs > 0) {
                if (timeoutMs == Long.MAX_VALUE) {
                    wait();
                } else {
                    wait(leftMs);
                    leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JMSException("interrupted while the connection was not started");
        }
        return isStarted && !isClosed ? Math.max(leftMs, 0) : -1;
    }

    /** Closes its session. A second call does nothing. */
    @Override
    public void close() throws JMSException {
        try {
            endSession(true);
        } catch (JMSException e) {
            managed().closeFailed(e);
            throw e;
        } finally {
            managed().closed(this);
        }
    }

    /** As closed, without telling the server, who knows. */
    void invalidate() {
        endQuietly(true);
    }

    /** Belongs to another managed connection from now on. */
    void moveTo(MetaQManagedConnection other) {
        endQuietly(false);
        synchronized (this) {
            managed = other;
            isClosed = false;
        }
    }

    private void endQuietly(boolean isClosing) {
        try {
            endSession(isClosing);
        } catch (JMSException e) {
            managed().closeFailed(e);
        }
    }

    private void endSession(boolean isClosing) throws JMSException {
        WorkHandle ended;
        synchronized (this) {
            ended = session;
            session = null;
            isClosed = isClosed || isClosing;
            notifyAll();
        }
        if (ended != null) {
            ended.close();
        }
    }

    boolean isInBranch() {
        return managed().isInBranch();
    }

    void addTemporary(Object destination) {
        managed().addTemporary(destination);
    }

    /**
     * Whether its managed connection can be used, also when this is closed. Recovery of IronJacamar
     * finds it by its name.
     *
     * @param timeoutSeconds not used: nothing is waited for
     */
    public boolean isValid(int timeoutSeconds) {
        return managed().isConnected();
    }

    // ---- identity

    @Override
    public @Nullable String getClientID() throws JMSException {
        return open().connection().getClientID();
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        return open().connection().getMetaData();
    }

    // ---- what is not for applications in a server

    @Override
    public void setClientID(@Nullable String clientId) throws JMSException {
        throw Restrictions.refused("setClientID");
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        var unused = open();
        return null;
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) throws JMSException {
        throw Restrictions.refused("setExceptionListener");
    }

    @Override
    public void stop() throws JMSException {
        throw Restrictions.refused("stop");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Destination destination,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        throw Restrictions.refused("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Queue queue,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        throw Restrictions.refused("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        throw Restrictions.refused("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String subscription,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        throw Restrictions.refused("createDurableConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String subscription,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        throw Restrictions.refused("createSharedConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String subscription,
            @Nullable String selector,
            @Nullable ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        throw Restrictions.refused("createSharedDurableConnectionConsumer");
    }

    @Override
    public String toString() {
        return "ConnectionHandle[" + managed() + "]";
    }
}
