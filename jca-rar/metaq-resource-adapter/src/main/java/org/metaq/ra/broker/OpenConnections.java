package org.metaq.ra.broker;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.metaq.jms.session.MetaQXAConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the pools of a resource adapter have opened, so that nothing of it outlives the adapter: a
 * server's recovery, which runs beside, may ask for a connection while its pool is taken away, or
 * later, and then nobody is left to close it. Thread-safe: guarded by itself, not while connecting
 * or closing.
 */
public final class OpenConnections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);

    /** An open one is kept by its thread; of one that was closed nobody has to tell. */
    private final Set<MetaQXAConnection> opened = Collections.newSetFromMap(new WeakHashMap<>());

    private boolean isClosed;

    /** None yet. */
    public OpenConnections() {}

    /**
     * Connects.
     *
     * @throws IllegalStateException if this is closed
     * @throws JMSException if there is no connection
     */
    public MetaQXAConnection open(BrokerAccess access) throws JMSException {
        checkOpen();
        MetaQXAConnection connection = access.connect();
        boolean isKept = false;
        try {
            synchronized (this) {
                checkOpen();
                opened.add(connection);
            }
            isKept = true;
            return connection;
        } finally {
            if (!isKept) {
                close(connection);
            }
        }
    }

    private synchronized void checkOpen() throws IllegalStateException {
        if (isClosed) {
            throw new IllegalStateException("the resource adapter has stopped");
        }
    }

    /** Closes what is open; nothing is opened any more. */
    @Override
    public void close() {
        List<MetaQXAConnection> left;
        synchronized (this) {
            isClosed = true;
            left = List.copyOf(opened);
            opened.clear();
        }
        left.forEach(OpenConnections::close);
    }

    private static void close(MetaQXAConnection connection) {
        try {
            connection.close();
        } catch (JMSException e) {
            LOG.debug("a connection was closed without the broker: {}", e.getMessage());
        }
    }
}
