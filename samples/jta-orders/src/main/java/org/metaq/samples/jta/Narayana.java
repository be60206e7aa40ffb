package org.metaq.samples.jta;

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

/** Narayana, embedded. The same can be said in a file {@code jbossts-properties.xml}. */
final class Narayana {
    /** Names this transaction manager, of all that share a broker or a database. */
    private static final String NODE = "jta-orders";

    private Narayana() {}

    /** Configures it; its log must outlive the process. */
    static TransactionManager start(Path log) throws CoreEnvironmentBeanException {
        bean(CoreEnvironmentBean.class).setNodeIdentifier(NODE);
        bean(JTAEnvironmentBean.class).setXaRecoveryNodes(List.of(NODE));
        bean(ObjectStoreEnvironmentBean.class).setObjectStoreDir(log.toString());
        for (String store : List.of("communicationStore", "stateStore")) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        bean(CoordinatorEnvironmentBean.class).setTransactionStatusManagerEnable(false);
        bean(RecoveryEnvironmentBean.class).setRecoveryListener(false);
        RecoveryManager.manager(RecoveryManager.INDIRECT_MANAGEMENT).initialize();
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    /** Starts the recovery scans, once all resources are registered. */
    static void startRecovery() {
        RecoveryManager.manager().startRecoveryManagerThread();
    }

    static void stop() {
        RecoveryManager.manager().terminate();
    }

    private static <T> T bean(Class<T> type) {
        return BeanPopulator.getDefaultInstance(type);
    }
}
