package org.metaq.narayana;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;

/** Sets up Narayana for the tests of a class: the JVM has one, and each class a JVM. */
final class Narayana {
    private Narayana() {}

    /** Scans happen when they are asked for. */
    static RecoveryManager recoveryManager(Path log) {
        BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class)
                .setObjectStoreDir(log.toString());
        for (String store : List.of("communicationStore", "stateStore")) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        BeanPopulator.getDefaultInstance(CoordinatorEnvironmentBean.class)
                .setTransactionStatusManagerEnable(false);
        BeanPopulator.getDefaultInstance(RecoveryEnvironmentBean.class).setRecoveryBackoffPeriod(1);
        // No branch is older than its transaction: nobody else uses the brokers.
        BeanPopulator.getDefaultInstance(JTAEnvironmentBean.class).setOrphanSafetyInterval(1);
        RecoveryManager manager = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        manager.initialize();
        return manager;
    }

    static TransactionManager transactionManager() {
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }
}
