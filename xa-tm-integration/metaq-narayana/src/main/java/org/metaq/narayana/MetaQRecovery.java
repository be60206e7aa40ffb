package org.metaq.narayana;

import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery of a broker's in-doubt branches by Narayana. After
 *
 * <pre>{@code
 * MetaQRecovery recovery = MetaQRecovery.register(factory);
 * }</pre>
 *
 * every recovery scan of this JVM asks the broker for its in-doubt branches, and commits or rolls
 * back those that Narayana's log knows. The connection for it is opened at the first scan, kept,
 * and opened again after the broker was away. While it cannot be reached a scan leaves it out,
 * which Narayana takes as a reason to try again later.
 *
 * <p>Thread-safe.
 */
public final class MetaQRecovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetaQRecovery.class);
    private static final XAResource[] NONE = {};

    private final MetaQConnectionFactory factory;
    private final XARecoveryModule module;
    private final Helper helper = new Helper();

    // Guarded by this.
    private @Nullable Link link;
    private boolean isUnreachable;
    private boolean isClosed;

    private MetaQRecovery(MetaQConnectionFactory factory, XARecoveryModule module) {
        this.factory = factory;
        this.module = module;
    }

    /**
     * Registers the broker of a factory with the recovery manager of this JVM. Configure Narayana
     * before: this makes the recovery manager, with its scans, if there is none yet.
     *
     * <p>The factory's URI must have no client id that an application's connection uses too.
     *
     * @throws IllegalStateException if Narayana has no XA recovery module
     */
    public static MetaQRecovery register(MetaQConnectionFactory factory) {
        XARecoveryModule module = XARecoveryModule.getRegisteredXARecoveryModule();
        if (module == null) {
            throw new IllegalStateException(
                    "Narayana has no XARecoveryModule: name it in "
                            + "RecoveryEnvironmentBean.recoveryModuleClassNames");
        }
        MetaQRecovery recovery = new MetaQRecovery(factory, module);
        module.addXAResourceRecoveryHelper(recovery.helper);
        return recovery;
    }

    /**
     * Ends the recovery: later scans leave the broker out. Waits for a scan under way. A second
     * call does nothing.
     */
    @Override
    public void close() {
        // Without our lock, which the scan that this waits for needs.
        module.removeXAResourceRecoveryHelper(helper);
        synchronized (this) {
            isClosed = true;
            drop();
        }
    }

    /** What Narayana asks at each scan. */
    private final class Helper implements XAResourceRecoveryHelper {
        @Override
        public boolean initialise(String ignored) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() {
            return resources();
        }
    }

    /** A live resource, or none while the broker cannot be reached. */
    synchronized XAResource[] resources() {
        if (isClosed) {
            return NONE;
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
            return NONE;
        }
        if (isUnreachable) {
            LOG.info("recovery reaches {} again", factory);
            isUnreachable = false;
        }
        return new XAResource[] {current.resource};
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
            this.resource = connection.createXASession().getXAResource();
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
