package org.metaq.narayana;

import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import javax.transaction.xa.XAResource;
import org.metaq.jms.MetaQConnectionFactory;

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
 * which Narayana takes as a reason to try again later. {@link MetaQNarayana} registers it by
 * itself; {@link MetaQResourceRecovery} does the same from Narayana's configuration.
 *
 * <p>Thread-safe.
 */
public final class MetaQRecovery implements AutoCloseable {
    private static final XAResource[] NONE = {};

    private final ScanResource resource;
    private final XARecoveryModule module;
    private final Helper helper = new Helper();

    private MetaQRecovery(ScanResource resource, XARecoveryModule module) {
        this.resource = resource;
        this.module = module;
    }

    /**
     * Registers the broker of a factory with the recovery manager of this JVM. Configure Narayana
     * before: this makes the recovery manager, with its scans, if there is none yet. Call it before
     * the first transaction: only from then on Narayana's log has the names of resources, without
     * which a branch that the broker had finished when the process died stays in the log.
     *
     * <p>Its connections are without the client id that the factory may have.
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
        MetaQRecovery recovery = new MetaQRecovery(new ScanResource(factory), module);
        module.addXAResourceRecoveryHelper(recovery.helper);
        return recovery;
    }

    /**
     * Ends the recovery: later scans leave the broker out. Waits for a scan under way. A second
     * call does nothing.
     */
    @Override
    public void close() {
        module.removeXAResourceRecoveryHelper(helper);
        resource.close();
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
    XAResource[] resources() {
        XAResource live = resource.live();
        return live == null ? NONE : new XAResource[] {live};
    }
}
