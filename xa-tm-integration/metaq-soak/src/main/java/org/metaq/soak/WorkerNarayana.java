package org.metaq.soak;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.arjuna.recovery.RecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.transaction.xa.XAResource;

/** Narayana in the worker: recovers when it is told to, and only then. */
public final class WorkerNarayana {
    private static final String NODE = "soak";

    private final RecoveryManager recovery;

    /**
     * Sets it up.
     *
     * @param log must outlive the process
     * @param orphanAgeMs how long a branch that the log does not know must have been seen before it
     *     is rolled back
     */
    public WorkerNarayana(Path log, int orphanAgeMs) throws CoreEnvironmentBeanException {
        CoreEnvironmentBean core = bean(CoreEnvironmentBean.class);
        core.setNodeIdentifier(NODE);
        core.setProcessImplementationClassName(
                "com.arjuna.ats.internal.arjuna.utils.UuidProcessId");
        ObjectStoreEnvironmentBean store = bean(ObjectStoreEnvironmentBean.class);
        store.setObjectStoreDir(log.toString());
        store.setObjectStoreType(ReplacingStore.class.getName());
        for (String other : List.of("communicationStore", "stateStore")) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, other)
                    .setObjectStoreDir(log.toString());
        }
        bean(CoordinatorEnvironmentBean.class).setTransactionStatusManagerEnable(false);
        bean(RecoveryEnvironmentBean.class).setRecoveryListener(false);
        JTAEnvironmentBean jta = bean(JTAEnvironmentBean.class);
        jta.setXaRecoveryNodes(List.of(NODE));
        jta.setOrphanSafetyInterval(orphanAgeMs);
        recovery = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        recovery.initialize();
    }

    /** Files of a log, if there is one yet, with transactions that are not finished. */
    public static List<Path> unfinished(Path log) throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(log)) {
            return all.filter(file -> file.toString().contains("AtomicAction"))
                    .filter(Files::isRegularFile)
                    .toList();
        }
    }

    private static <T> T bean(Class<T> type) {
        return BeanPopulator.getDefaultInstance(type);
    }

    /** To begin transactions with, on any thread. */
    public TransactionManager transactionManager() {
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    /** From now on recovery asks the database too. */
    public void register(WorkerDatabase database) throws SQLException {
        WorkerDatabase.Rows rows = database.connect();
        XARecoveryModule.getRegisteredXARecoveryModule()
                .addXAResourceRecoveryHelper(
                        new XAResourceRecoveryHelper() {
                            @Override
                            public boolean initialise(String ignored) {
                                return true;
                            }

                            @Override
                            public XAResource[] getXAResources() throws SQLException {
                                return new XAResource[] {rows.resource()};
                            }
                        });
    }

    /**
     * A scan, both passes of all modules, without the pause between them: transactions of other
     * threads are known to be under way.
     */
    public void scan() {
        List<RecoveryModule> modules = List.copyOf(recovery.getModules());
        modules.forEach(RecoveryModule::periodicWorkFirstPass);
        modules.forEach(RecoveryModule::periodicWorkSecondPass);
    }
}
