package org.metaq.samples.springjta;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import org.springframework.context.SmartLifecycle;

/** Narayana, embedded; Spring starts its recovery scans when all resources are registered. */
final class Narayana implements SmartLifecycle {
    /** Names this transaction manager, of all that share a broker or a database. */
    private static final String NODE = "spring-jta";

    private volatile boolean isRunning;

    /** Configures it; its log must outlive the process. */
    Narayana(Path log) throws CoreEnvironmentBeanException {
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
    }

    TransactionManager manager() {
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    /** Has the database's in-doubt branches recovered. */
    void recover(XADataSource source) throws SQLException {
        XARecoveryModule.getRegisteredXARecoveryModule()
                .addXAResourceRecoveryHelper(new Recovery(source.getXAConnection()));
    }

    @Override
    public void start() {
        RecoveryManager.manager().startRecoveryManagerThread();
        isRunning = true;
    }

    @Override
    public void stop() {
        RecoveryManager.manager().terminate();
        isRunning = false;
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    /** Before the listeners start, and after they have stopped. */
    @Override
    public int getPhase() {
        return 0;
    }

    private static <T> T bean(Class<T> type) {
        return BeanPopulator.getDefaultInstance(type);
    }

    private record Recovery(XAConnection connection) implements XAResourceRecoveryHelper {
        @Override
        public boolean initialise(String ignored) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() throws SQLException {
            return new XAResource[] {connection.getXAResource()};
        }
    }
}
