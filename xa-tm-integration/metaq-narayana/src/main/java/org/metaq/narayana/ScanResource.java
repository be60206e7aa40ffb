package org.metaq.narayana;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.xa.MetaQXAResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A resource of a broker for recovery scans, over a connection of its own, which is opened when it
 * is first asked for, kept, and opened again after the broker was away.
 *
 * <p>Thread-safe.
 */
final class ScanResource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScanResource.class);

    private final MetaQConnectionFactory factory;

    // Guarded by this.
    private @Nullable Link link;
    private boolean isUnreachable;
    private boolean isClosed;

    ScanResource(MetaQConnectionFactory factory) {
        ResourceNames.install();
        // A client id is for one connection at a time, and the application's is it.
        this.factory = factory.withoutClientId();
    }

    /** A live resource, or null while the broker cannot be reached. */
    synchronized @Nullable XAResource live() {
        if (isClosed) {
            return null;
        }
        Link current = link;
        if (current != null && current.isLost) {
            drop();
            current = null;
        }
        try {
            if (current == null) {
                current = Link.open(factory);
                link = current;
            }
        } catch (JMSException e) {
            // Once for each outage: a scan comes every few seconds.
            if (!isUnreachable) {
                LOG.warn("recovery leaves out {}: {}", factory, e.getMessage());
                isUnreachable = true;
            }
            return null;
        }
        if (isUnreachable) {
            LOG.info("recovery reaches {} again", factory);
            isUnreachable = false;
        }
        return current.resource;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        drop();
    }

    /** Closes the connection, if there is one. Under the lock. */
    private void drop() {
        Link old = link;
        link = null;
        if (old != null) {
            old.close();
        }
    }

    /** A connection and its resource. */
    private static final class Link {
        private final XAConnection connection;
        private final XAResource resource;

        // Set by the thread that reports failures, read by the recovery manager's.
        private volatile boolean isLost;

        private Link(XAConnection connection) throws JMSException {
            this.connection = connection;
            connection.setExceptionListener(failure -> isLost = true);
            this.resource =
                    new NamedResource(
                            (MetaQXAResource) connection.createXASession().getXAResource());
        }

        static Link open(MetaQConnectionFactory factory) throws JMSException {
            XAConnection connection = factory.createXAConnection();
            try {
                return new Link(connection);
            } catch (JMSException e) {
                connection.close();
                throw e;
            }
        }

        void close() {
            try {
                connection.close();
            } catch (JMSException e) {
                LOG.debug("closing the recovery connection: {}", e.getMessage());
            }
        }
    }
}
