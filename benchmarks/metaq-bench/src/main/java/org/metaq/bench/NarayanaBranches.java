package org.metaq.bench;

import jakarta.jms.XASession;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * Transactions by Narayana's manager, with its log in the default file store, and with a second
 * resource that does nothing; else the manager would commit in one phase.
 */
record NarayanaBranches(TransactionManager manager, XAResource resource)
        implements XaWorkload.Branches {
    private static final String MANAGER = "com.arjuna.ats.jta.TransactionManager";

    /** Options of a JVM whose manager has its log in that directory, and opens no port. */
    static List<String> jvmOptions(Path log) {
        String bean = "-DObjectStoreEnvironmentBean.";
        return List.of(
                bean + "objectStoreDir=" + log,
                bean + "communicationStore.objectStoreDir=" + log,
                bean + "stateStore.objectStoreDir=" + log,
                "-DCoordinatorEnvironmentBean.transactionStatusManagerEnable=false");
    }

    /** For one thread. */
    static XaWorkload.Branches open(XASession session, Context context)
            throws ReflectiveOperationException {
        TransactionManager manager =
                (TransactionManager)
                        Class.forName(MANAGER).getMethod("transactionManager").invoke(null);
        return new NarayanaBranches(manager, session.getXAResource());
    }

    @Override
    public void run(XaWorkload.Work work) throws Exception {
        manager.begin();
        Transaction transaction = manager.getTransaction();
        transaction.enlistResource(resource);
        transaction.enlistResource(new EmptyResource());
        work.run();
        manager.commit();
    }

    /** Says yes to everything. */
    private static final class EmptyResource implements XAResource {
        @Override
        public void start(Xid xid, int flags) {}

        @Override
        public void end(Xid xid, int flags) {}

        @Override
        public int prepare(Xid xid) {
            return XA_OK;
        }

        @Override
        public void commit(Xid xid, boolean isOnePhase) {}

        @Override
        public void rollback(Xid xid) {}

        @Override
        public void forget(Xid xid) {}

        @Override
        public Xid[] recover(int flag) {
            return new Xid[0];
        }

        @Override
        public boolean isSameRM(XAResource other) {
            return other == this;
        }

        @Override
        public int getTransactionTimeout() {
            return 0;
        }

        @Override
        public boolean setTransactionTimeout(int seconds) {
            return false;
        }
    }
}
