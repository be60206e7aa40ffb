package org.metaq.tm;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What an application has in place of a connection. It takes a link for itself when it first works
 * outside of a transaction, and has it until its close; sessions in a transaction work with the
 * transaction's. Thread-safe: its own monitor, under which it may wait for the pool.
 */
final class ConnectionHandle implements Connection {
    private final Leases leases;
    private final LinkKey key;
    private final Set<Handle> sessions = ConcurrentHashMap.newKeySet();

    // Guarded by this.
    private @Nullable OwnLease own;
    private @Nullable ExceptionListener listener;
    private boolean isStarted;
    private boolean isClosed;

    ConnectionHandle(Leases leases, LinkKey key) {
        this.leases = leases;
        this.key = key;
    }

    private void checkOpen() throws IllegalStateException {
        if (isClosed) {
            throw new IllegalStateException("the connection is closed");
        }
    }

    // ---- sessions

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        if (!transacted && acknowledgeMode == Session.SESSION_TRANSACTED) {
            throw new JMSException(
                    "a session that is not transacted cannot have the mode SESSION_TRANSACTED");
        }
        return createSession(transacted ? Session.SESSION_TRANSACTED : acknowledgeMode);
    }

    @Override
    public Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public synchronized Session createSession(int mode) throws JMSException {
        checkOpen();
        BranchLease branch = leases.ofTransaction(key);
        Handle handle = branch == null ? ownSession(mode) : enlistedSession(branch);
        sessions.add(handle);
        return handle.as(Session.class);
    }

    private Handle enlistedSession(BranchLease branch) throws JMSException {
        if (isStarted) {
            branch.start();
        }
        return branch.handle(Session.class, sessions::remove);
    }

    private Handle ownSession(int mode) throws JMSException {
        OwnLease lease = own();
        Session session = (Session) lease.link().ordinary(mode);
        return new Handle(
                Session.class,
                session,
                lease,
                closed -> {
                    session.close();
                    sessions.remove(closed);
                });
    }

    private OwnLease own() throws JMSException {
        OwnLease lease = own;
        if (lease == null) {
            lease = leases.own(key);
            own = lease;
            lease.link().setListener(listener);
            if (isStarted) {
                lease.link().start();
            }
        }
        return lease;
    }

    // ---- the connection

    /** The link that the calling thread works with. */
    private Link link() throws JMSException {
        checkOpen();
        BranchLease branch = leases.ofTransaction(key);
        return branch == null ? own().link() : branch.link();
    }

    @Override
    public synchronized @Nullable String getClientID() throws JMSException {
        return link().clientId();
    }

    @Override
    public void setClientID(@Nullable String clientId) throws JMSException {
        throw clientIdRefused();
    }

    static IllegalStateException clientIdRefused() {
        return new IllegalStateException(
                "the connections of a pool cannot be named one by one: give the client id to the"
                        + " connection factory below, which then serves one connection at a time"
                        + " (maxConnections(1))");
    }

    @Override
    public synchronized ConnectionMetaData getMetaData() throws JMSException {
        return link().metaData();
    }

    @Override
    public synchronized @Nullable ExceptionListener getExceptionListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public synchronized void setExceptionListener(@Nullable ExceptionListener newListener)
            throws JMSException {
        checkOpen();
        listener = newListener;
        if (own != null) {
            own.link().setListener(newListener);
        }
    }

    /** Sets whether it is started; its own link, if it has one. */
    private synchronized @Nullable Link setStarted(boolean started) throws JMSException {
        checkOpen();
        isStarted = started;
        return own == null ? null : own.link();
    }

    @Override
    public void start() throws JMSException {
        Link link = setStarted(true);
        if (link != null) {
            link.start();
        }
        for (Handle session : sessions) {
            if (session.lease() instanceof BranchLease branch) {
                branch.start();
            }
        }
    }

    /** Without the monitor, which a listener that this waits for may need. */
    @Override
    public void stop() throws JMSException {
        Link link = setStarted(false);
        if (link != null) {
            link.stop();
        }
    }

    @Override
    public void close() throws JMSException {
        boolean isRefused = false;
        try {
            for (Handle session : sessions) {
                session.close();
            }
        } catch (IllegalStateException e) {
            // By a listener of its own: it is still open.
            isRefused = true;
            throw e;
        } finally {
            if (!isRefused) {
                release();
            }
        }
    }

    private void release() {
        OwnLease lease;
        synchronized (this) {
            lease = isClosed ? null : own;
            isClosed = true;
        }
        if (lease != null) {
            if (!sessions.isEmpty()) {
                // One that could not be closed, or was made meanwhile: it ends with the link.
                lease.link().spend();
            }
            lease.release();
        }
    }

    // ---- application server facilities

    private static JMSException noConnectionConsumers() {
        return new JMSException(
                "no connection consumers on pooled connections: use the factory below");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw noConnectionConsumers();
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw noConnectionConsumers();
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw noConnectionConsumers();
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw noConnectionConsumers();
    }
}
