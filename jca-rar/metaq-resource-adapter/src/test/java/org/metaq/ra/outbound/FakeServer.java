package org.metaq.ra.outbound;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.Subject;
import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;

/**
 * The pool of an application server, for one thread: in a transaction, handles share a managed
 * connection, which is enlisted before its first handle is asked for and goes back when the
 * transaction has ended.
 */
final class FakeServer implements ConnectionManager, ConnectionEventListener, AutoCloseable {
    private static final long serialVersionUID = 1;

    /** What is idle, and the handles of what is not. */
    private final transient Set<ManagedConnection> idle = new HashSet<>();

    private final transient Map<ManagedConnection, Set<Object>> used = new LinkedHashMap<>();
    private final transient List<ManagedConnection> enlisted = new ArrayList<>();
    private final transient List<ConnectionEvent> errors = new CopyOnWriteArrayList<>();
    private transient @Nullable FakeTransaction transaction;
    private transient @Nullable Subject subject;
    private transient boolean delistsAtClose;
    private transient int createdCount;

    /** Whom the server signs on; null: nobody. */
    void signOn(@Nullable Subject newSubject) {
        subject = newSubject;
    }

    /** Ends the work of a connection within a transaction when its last handle is closed. */
    void delistAtClose() {
        delistsAtClose = true;
    }

    FakeTransaction begin() {
        transaction = new FakeTransaction();
        return transaction;
    }

    void commit() throws Exception {
        FakeTransaction ended = transaction;
        transaction = null;
        try {
            ended.commit();
        } finally {
            release();
        }
    }

    void rollback() throws Exception {
        FakeTransaction ended = transaction;
        transaction = null;
        try {
            ended.rollback();
        } finally {
            release();
        }
    }

    /** Forgets the transaction, as if the server had crashed; all connections go. */
    void crash() throws ResourceException {
        transaction = null;
        enlisted.clear();
        close();
    }

    private void release() throws ResourceException {
        List<ManagedConnection> ended = List.copyOf(enlisted);
        enlisted.clear();
        for (ManagedConnection connection : ended) {
            if (used.containsKey(connection) && used.get(connection).isEmpty()) {
                giveBack(connection);
            }
        }
    }

    private void giveBack(ManagedConnection connection) throws ResourceException {
        used.remove(connection);
        connection.cleanup();
        idle.add(connection);
    }

    @Override
    public Object allocateConnection(
            ManagedConnectionFactory factory, @Nullable ConnectionRequestInfo request)
            throws ResourceException {
        ManagedConnection connection = find(factory, request);
        boolean isGiven = false;
        try {
            Object handle = connection.getConnection(subject, request);
            used.get(connection).add(handle);
            isGiven = true;
            return handle;
        } finally {
            if (!isGiven && used.get(connection).isEmpty() && !enlisted.contains(connection)) {
                giveBack(connection);
            }
        }
    }

    private ManagedConnection find(
            ManagedConnectionFactory factory, @Nullable ConnectionRequestInfo request)
            throws ResourceException {
        if (transaction == null) {
            return take(factory, request);
        }
        ManagedConnection shared =
                factory.matchManagedConnections(new HashSet<>(enlisted), subject, request);
        if (shared != null) {
            return shared;
        }
        ManagedConnection taken = take(factory, request);
        try {
            transaction.enlist(taken.getXAResource());
        } catch (XAException e) {
            giveBack(taken);
            throw new ResourceException("enlist", e);
        }
        enlisted.add(taken);
        return taken;
    }

    private ManagedConnection take(
            ManagedConnectionFactory factory, @Nullable ConnectionRequestInfo request)
            throws ResourceException {
        ManagedConnection taken = factory.matchManagedConnections(idle, subject, request);
        if (taken == null) {
            taken = factory.createManagedConnection(subject, request);
            taken.addConnectionEventListener(this);
            createdCount++;
        }
        idle.remove(taken);
        used.put(taken, new HashSet<>());
        return taken;
    }

    // ---- what the tests look at

    int createdCount() {
        return createdCount;
    }

    Set<ManagedConnection> idle() {
        return idle;
    }

    int idleCount() {
        return idle.size();
    }

    int usedCount() {
        return used.size();
    }

    List<ConnectionEvent> errors() {
        return errors;
    }

    // ---- events

    @Override
    public void connectionClosed(ConnectionEvent event) {
        ManagedConnection connection = (ManagedConnection) event.getSource();
        Set<Object> handles = used.get(connection);
        if (!handles.remove(event.getConnectionHandle())) {
            throw new AssertionError("not a handle of this connection, or closed twice");
        }
        try {
            if (handles.isEmpty() && !enlisted.contains(connection)) {
                giveBack(connection);
            } else if (handles.isEmpty() && delistsAtClose) {
                transaction.delist(connection.getXAResource());
            }
        } catch (ResourceException | XAException e) {
            throw new AssertionError("cleanup", e);
        }
    }

    /** On a thread of the provider; the connection is destroyed by {@link #destroyBroken}. */
    @Override
    public void connectionErrorOccurred(ConnectionEvent event) {
        errors.add(event);
    }

    void destroyBroken() throws ResourceException {
        for (ConnectionEvent event : errors) {
            ManagedConnection connection = (ManagedConnection) event.getSource();
            used.remove(connection);
            enlisted.remove(connection);
            idle.remove(connection);
            connection.destroy();
        }
    }

    @Override
    public void localTransactionStarted(ConnectionEvent event) {
        throw new AssertionError("nobody starts local transactions on handles");
    }

    @Override
    public void localTransactionCommitted(ConnectionEvent event) {
        throw new AssertionError("nobody commits local transactions on handles");
    }

    @Override
    public void localTransactionRolledback(ConnectionEvent event) {
        throw new AssertionError("nobody rolls back local transactions on handles");
    }

    @Override
    public void close() throws ResourceException {
        for (ManagedConnection connection : List.copyOf(used.keySet())) {
            connection.destroy();
        }
        for (ManagedConnection connection : idle) {
            connection.destroy();
        }
        used.clear();
        idle.clear();
    }
}
