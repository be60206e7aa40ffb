package org.metaq.samples.quickstart;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;

/** Sets up Narayana, embedded, without sockets of its own. */
final class Narayana {
    /** Names this transaction manager in its Xids, so that it recovers none but its own. */
    private static final String NODE = "quickstart";

    private static final int TRANSACTION_TIMEOUT_SECONDS = 60;

    /** Short, for a demonstration; the default of two minutes suits production. */
    private static final int SCAN_PERIOD_SECONDS = 1;

    /**
     * How long a branch that the log does not know must be seen in doubt before it is rolled back.
     * It covers what another transaction manager of this name could be doing, which is not there.
     */
    private static final int ORPHAN_AGE_MS = 1_000;

    private Narayana() {}

    /**
     * Configures it and makes the recovery manager, whose scans do not run yet.
     *
     * @param log directory of the transaction log: it belongs to this node, and must outlive it
     */
    static TransactionManager start(Path log) {
        CoreEnvironmentBean core = bean(CoreEnvironmentBean.class);
        try {
            core.setNodeIdentifier(NODE);
        } catch (CoreEnvironmentBeanException e) {
            throw new IllegalStateException("node identifier " + NODE, e);
        }
        // The number of a process can come again after a restart, a UUID not.
        core.setProcessImplementationClassName(
                "com.arjuna.ats.internal.arjuna.utils.UuidProcessId");
        bean(ObjectStoreEnvironmentBean.class).setObjectStoreDir(log.toString());
        for (String store : List.of("communicationStore", "stateStore")) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        CoordinatorEnvironmentBean coordinator = bean(CoordinatorEnvironmentBean.class);
        coordinator.setDefaultTimeout(TRANSACTION_TIMEOUT_SECONDS);
        coordinator.setTransactionStatusManagerEnable(false);
        RecoveryEnvironmentBean recovery = bean(RecoveryEnvironmentBean.class);
        recovery.setRecoveryListener(false);
        recovery.setPeriodicRecoveryPeriod(SCAN_PERIOD_SECONDS);
        recovery.setRecoveryBackoffPeriod(SCAN_PERIOD_SECONDS);
        JTAEnvironmentBean jta = bean(JTAEnvironmentBean.class);
        jta.setXaRecoveryNodes(List.of(NODE));
        jta.setOrphanSafetyInterval(ORPHAN_AGE_MS);
        RecoveryManager.manager(RecoveryManager.INDIRECT_MANAGEMENT).initialize();
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    /** Starts the scans; before, every resource must be registered. */
    static void startRecovery() {
        RecoveryManager.manager().startRecoveryManagerThread();
    }

    private static <T> T bean(Class<T> type) {
        return BeanPopulator.getDefaultInstance(type);
    }
}
