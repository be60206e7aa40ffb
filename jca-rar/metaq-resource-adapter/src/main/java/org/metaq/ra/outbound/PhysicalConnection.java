package org.metaq.ra.outbound;

import jakarta.jms.JMSException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.MetaQXAConnection;
import org.metaq.ra.broker.BrokerAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a broker that managed connections share. The first that needs it connects, the
 * others wait for that and fail with it. It is always started: whether an application has started
 * its own is the handle's business.
 *
 * <p>Thread-safe: its own monitor, held while connecting; never taken by who is told of a loss.
 */
final class PhysicalConnection {
    private static final Logger LOG = LoggerFactory.getLogger(PhysicalConnection.class);

    private final BrokerAccess access;
    private final Opener opener;
    private final Set<User> users = ConcurrentHashMap.newKeySet();

    // Written under the monitor, read by any thread.
    private volatile @Nullable MetaQXAConnection connection;
    private volatile @Nullable JMSException failure;

    /** How it is made. */
    @FunctionalInterface
    interface Opener {
        MetaQXAConnection open(BrokerAccess access) throws JMSException;
    }

    /** Who works with it. */
    interface User {
        /** The connection is lost for good. On a thread of the provider. */
        void lost(JMSException why);
    }

    PhysicalConnection(BrokerAccess access, Opener opener) {
        this.access = access;
        this.opener = opener;
    }

    BrokerAccess access() {
        return access;
    }

    /** Those who use it, or wait until they can. */
    Set<User> users() {
        return users;
    }

    /** Whether it can be used, or perhaps will be once it is opened. */
    boolean isUsable() {
        MetaQXAConnection opened = connection;
        return failure == null && (opened == null || opened.isConnected());
    }

    /**
     * The connection; connects if nobody has yet.
     *
     * @throws JMSException if that failed
     */
    synchronized MetaQXAConnection connection() throws JMSException {
        JMSException failed = failure;
        if (failed != null) {
            throw failed;
        }
        MetaQXAConnection opened = connection;
        if (opened == null) {
            opened = connect();
            connection = opened;
        }
        return opened;
    }

    private MetaQXAConnection connect() throws JMSException {
        try {
            MetaQXAConnection opened = opener.open(access);
            opened.setExceptionListener(what -> failed(opened, what));
            opened.start();
            return opened;
        } catch (JMSException e) {
            failure = e;
            throw e;
        }
    }

    /** Not every failure that a connection reports is its end. */
    private void failed(MetaQXAConnection opened, JMSException what) {
        if (!opened.isConnected()) {
            users.forEach(user -> user.lost(what));
        }
    }

    synchronized void close() {
        MetaQXAConnection opened = connection;
        if (opened == null) {
            return;
        }
        try {
            opened.close();
        } catch (JMSException e) {
            LOG.debug("closing the connection to {}: {}", access, e.getMessage());
        }
    }
}
