package org.metaq.ra.outbound;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.XASession;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.CommException;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionMetaData;
import jakarta.resource.spi.SecurityException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.security.auth.Subject;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.Contexts;
import org.metaq.jms.session.MetaQXAConnection;
import org.metaq.ra.broker.BrokerAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One XA session, on a connection to the broker that it shares with others. Outside of a branch the
 * session acknowledges and sends at once, so that it serves with and without a transaction.
 *
 * <p>When the connection is lost while handles are in use, the server is told, once, and the
 * handles fail. While it is idle nobody is told: the session is replaced before the next use.
 *
 * <p>For one thread at a time, as its session is, but for the news of a loss.
 */
final class MetaQManagedConnection implements ManagedConnection {
    private static final Logger LOG = LoggerFactory.getLogger(MetaQManagedConnection.class);

    private final MetaQManagedConnectionFactory factory;
    private final BrokerAccess access;
    private final PhysicalConnections connections;
    private final BranchResource resource;
    private final LocalTransaction localTransaction;
    private final Set<ConnectionHandle> handles = ConcurrentHashMap.newKeySet();
    private final List<ConnectionEventListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isLossTold = new AtomicBoolean();

    /** Temporary queues and topics that handles made; they end with the use of this connection. */
    private final List<Object> temporaries = new ArrayList<>();

    // Replaced by the thread that uses it next, read by any.
    private volatile Link link;

    private volatile boolean isDestroyed;

    /** Something that a handle opened could not be closed; written by who closes the handle. */
    private volatile boolean isSpoilt;

    private @Nullable PrintWriter logWriter;

    /** A session, and its use of a connection. */
    private final class Link implements PhysicalConnection.User {
        private final PhysicalConnection physical;
        private final MetaQXAConnection connection;
        private final XASession session;

        Link() throws JMSException {
            physical = connections.acquire(access, this);
            boolean isOpen = false;
            try {
                connection = physical.connection();
                session = connection.createXASession();
                isOpen = true;
            } finally {
                if (!isOpen) {
                    connections.release(physical, this);
                }
            }
        }

        void close() {
            try {
                session.close();
            } catch (JMSException e) {
                LOG.debug("closing a session of {}: {}", access, e.getMessage());
            }
            connections.release(physical, this);
        }

        @Override
        public void lost(JMSException why) {
            MetaQManagedConnection.this.lost(why);
        }
    }

    private MetaQManagedConnection(
            MetaQManagedConnectionFactory factory,
            BrokerAccess access,
            PhysicalConnections connections)
            throws JMSException {
        this.factory = factory;
        this.access = access;
        this.connections = connections;
        this.link = new Link();
        this.resource = new BranchResource(link.session.getXAResource(), this::renewForBranch);
        this.localTransaction = new SessionTransaction(resource);
    }

    /**
     * Opens one.
     *
     * @throws ResourceException if there is no connection to be had
     */
    static MetaQManagedConnection open(
            MetaQManagedConnectionFactory factory,
            BrokerAccess access,
            PhysicalConnections connections)
            throws ResourceException {
        try {
            return new MetaQManagedConnection(factory, access, connections);
        } catch (JMSException e) {
            throw Failures.of("connect to " + access, e);
        }
    }

    // ---- state

    BrokerAccess access() {
        return access;
    }

    boolean isConnected() {
        return !isDestroyed && link.connection.isConnected();
    }

    boolean isInBranch() {
        return resource.isInBranch();
    }

    private void lost(JMSException why) {
        if (handles.isEmpty() && !isInBranch()) {
            LOG.debug("an idle connection to {} was lost: {}", access, why.getMessage());
        } else if (isLossTold.compareAndSet(false, true)) {
            ConnectionEvent event =
                    new ConnectionEvent(this, ConnectionEvent.CONNECTION_ERROR_OCCURRED, why);
            listeners.forEach(listener -> listener.connectionErrorOccurred(event));
        }
    }

    /** Replaces the session if its connection is lost. Nobody must be using it. */
    private void renew() throws ResourceException {
        if (isConnected()) {
            return;
        }
        if (isDestroyed || !handles.isEmpty() || isInBranch()) {
            throw new CommException(
                    "the connection to " + access + (isDestroyed ? " is closed" : " was lost"));
        }
        try {
            replace();
        } catch (JMSException e) {
            throw Failures.of("connect again to " + access, e);
        }
        LOG.debug("an idle connection to {} was replaced", access);
    }

    private void renewForBranch() throws XAException {
        try {
            if (handles.isEmpty()) {
                renew();
            }
        } catch (ResourceException e) {
            XAException thrown = new XAException(e.getMessage());
            thrown.errorCode = XAException.XAER_RMFAIL;
            thrown.initCause(e);
            throw thrown;
        }
    }

    private void replace() throws JMSException {
        Link next = new Link();
        link.close();
        link = next;
        isSpoilt = false;
        resource.follow(next.session.getXAResource());
        isLossTold.set(false);
    }

    // ---- for handles

    MetaQXAConnection connection() {
        return link.connection;
    }

    Session session() throws JMSException {
        return link.session.getSession();
    }

    /** A context on the session. */
    JMSContext context() {
        return Contexts.over(link.connection, link.session);
    }

    void addTemporary(Object destination) {
        temporaries.add(destination);
    }

    /** What a handle has opened stays open, so that the session is not used again. */
    void closeFailed(JMSException why) {
        LOG.debug("a session of {} is not used again: {}", access, why.getMessage());
        isSpoilt = true;
    }

    /** The application has closed a handle. */
    void closed(ConnectionHandle handle) {
        if (handles.remove(handle)) {
            ConnectionEvent event = new ConnectionEvent(this, ConnectionEvent.CONNECTION_CLOSED);
            event.setConnectionHandle(handle);
            listeners.forEach(listener -> listener.connectionClosed(event));
        }
    }

    // ---- for the server

    /**
     * A handle.
     *
     * @throws SecurityException if another user is wanted
     * @throws ResourceException if the connection was lost and there is no other
     */
    @Override
    public Object getConnection(@Nullable Subject subject, @Nullable ConnectionRequestInfo request)
            throws ResourceException {
        if (!factory.access(subject, request).equals(access)) {
            throw new SecurityException(
                    "this connection was made for another user, and cannot change it");
        }
        renew();
        ConnectionHandle handle = new ConnectionHandle(this);
        handles.add(handle);
        return handle;
    }

    /** Takes a handle over; what its session made is closed. */
    @Override
    public void associateConnection(Object connection) throws ResourceException {
        if (!(connection instanceof ConnectionHandle handle)) {
            throw new ResourceException("not a handle of ours: " + connection);
        }
        renew();
        handle.managed().handles.remove(handle);
        handle.moveTo(this);
        handles.add(handle);
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    @Override
    public LocalTransaction getLocalTransaction() {
        return localTransaction;
    }

    /**
     * Ends the use: handles are invalid, temporary destinations deleted. A session whose branch was
     * not ended, or that could not be tidied, is replaced.
     *
     * @throws ResourceException if it cannot be used again
     */
    @Override
    public void cleanup() throws ResourceException {
        invalidateHandles();
        if (isInBranch() || isSpoilt) {
            try {
                replace();
            } catch (JMSException e) {
                throw Failures.of("replace a session that was left in use", e);
            }
        }
        deleteTemporaries();
    }

    private void invalidateHandles() {
        for (ConnectionHandle handle : List.copyOf(handles)) {
            // First, so that the server is not told that the application closed it.
            handles.remove(handle);
            handle.invalidate();
        }
    }

    private void deleteTemporaries() {
        for (Object temporary : temporaries) {
            try {
                if (temporary instanceof TemporaryQueue queue) {
                    queue.delete();
                } else if (temporary instanceof TemporaryTopic topic) {
                    topic.delete();
                }
            } catch (JMSException e) {
                LOG.debug("{} ends with its connection: {}", temporary, e.getMessage());
            }
        }
        temporaries.clear();
    }

    @Override
    public void destroy() {
        if (isDestroyed) {
            return;
        }
        invalidateHandles();
        deleteTemporaries();
        isDestroyed = true;
        link.close();
    }

    @Override
    public void addConnectionEventListener(ConnectionEventListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeConnectionEventListener(ConnectionEventListener listener) {
        listeners.remove(listener);
    }

    @Override
    public ManagedConnectionMetaData getMetaData() throws ResourceException {
        try {
            return Product.of(link.connection.getMetaData(), access.user());
        } catch (JMSException e) {
            throw Failures.of("tell about the provider", e);
        }
    }

    /** Kept for the server; messages go to the log. */
    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        logWriter = out;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return logWriter;
    }

    @Override
    public String toString() {
        return "MetaQManagedConnection[" + access + "]";
    }
}
