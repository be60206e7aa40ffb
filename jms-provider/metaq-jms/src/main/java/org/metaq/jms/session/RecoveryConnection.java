package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.xa.MetaQXAResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that a transaction manager recovers over: opened when it is first needed, kept, and
 * opened again after the broker was away. An outage is one line in the log, however often a scan
 * comes. Thread-safe: its own monitor, held while connecting.
 */
public final class RecoveryConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryConnection.class);

    private final String broker;
    private final Opener opener;

    // Guarded by this.
    private @Nullable MetaQXAConnection connection;
    private @Nullable MetaQXAResource resource;
    private boolean isAway;
    private boolean isClosed;

    /** Connects, without a client id that an application may use. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens a connection.
         *
         * @throws JMSException if there is none to be had
         */
        MetaQXAConnection open() throws JMSException;
    }

    /**
     * Not connected yet.
     *
     * @param broker for logs, without a password
     */
    public RecoveryConnection(String broker, Opener opener) {
        this.broker = broker;
        this.opener = opener;
    }

    /**
     * A resource that works now; the same as before if its connection still does.
     *
     * @throws JMSException if the broker cannot be reached, or this is closed
     */
    public synchronized MetaQXAResource live() throws JMSException {
        if (isClosed) {
            throw new IllegalStateException("recovery of " + broker + " has ended");
        }
        MetaQXAResource known = resource;
        if (known != null && connection != null && connection.isConnected()) {
            return known;
        }
        disconnect();
        MetaQXAResource opened = open();
        if (isAway) {
            LOG.info("recovery reaches {} again", broker);
            isAway = false;
        }
        return opened;
    }

    private MetaQXAResource open() throws JMSException {
        try {
            MetaQXAConnection next = opener.open();
            connection = next;
            MetaQXAResource opened = next.newXaSession(Domain.UNIFIED).getXAResource();
            resource = opened;
            return opened;
        } catch (JMSException e) {
            disconnect();
            if (!isAway) {
                LOG.warn("recovery cannot reach {}: {}", broker, e.getMessage());
                isAway = true;
            }
            throw e;
        }
    }

    private void disconnect() {
        MetaQXAConnection old = connection;
        connection = null;
        resource = null;
        if (old == null) {
            return;
        }
        try {
            old.close();
        } catch (JMSException e) {
            LOG.debug("closing the recovery connection to {}: {}", broker, e.getMessage());
        }
    }

    /** Closes the connection, if there is one; none is opened any more. */
    @Override
    public synchronized void close() {
        isClosed = true;
        disconnect();
    }
}
