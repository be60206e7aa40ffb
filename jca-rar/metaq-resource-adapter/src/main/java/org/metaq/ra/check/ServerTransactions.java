package org.metaq.ra.check;

import jakarta.jms.JMSException;
import jakarta.resource.spi.BootstrapContext;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.List;
import javax.naming.NamingException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transactions of the server. Thread-safe as its manager is. */
final class ServerTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTransactions.class);

    /** Where servers have their transaction manager. */
    private static final List<String> NAMES =
            List.of(
                    "java:jboss/TransactionManager",
                    "java:appserver/TransactionManager",
                    "java:comp/TransactionManager",
                    "java:/TransactionManager");

    /** Open Liberty has it at no name, but shows this class to resource adapters. */
    private static final String LIBERTY_FACTORY = "com.ibm.tx.jta.TransactionManagerFactory";

    private final TransactionManager manager;

    private ServerTransactions(TransactionManager manager) {
        this.manager = manager;
    }

    /** Looks for it. */
    static ServerTransactions find() throws CheckFailed {
        for (String name : NAMES) {
            try {
                if (Names.lookUp(name) instanceof TransactionManager found) {
                    return new ServerTransactions(found);
                }
            } catch (NamingException e) {
                LOG.debug("another server's name: {}", e.toString());
            }
        }
        try {
            Object found =
                    Class.forName(LIBERTY_FACTORY).getMethod("getTransactionManager").invoke(null);
            return new ServerTransactions((TransactionManager) found);
        } catch (ReflectiveOperationException e) {
            LOG.debug("another server: {}", e.toString());
        }
        throw new CheckFailed(
                "there is none at "
                        + String.join(", ", NAMES)
                        + ", nor by "
                        + LIBERTY_FACTORY
                        + ", and the check knows no other place. Is the server's transaction"
                        + " subsystem on?");
    }

    /** What is done in a transaction. */
    @FunctionalInterface
    interface Work {
        /** Does it. */
        void run() throws CheckFailed, JMSException, XAException;
    }

    /** Works in a transaction that is committed then. */
    void commitAfter(Work work) throws CheckFailed, JMSException, XAException {
        within(work, manager::commit);
    }

    /** Works in a transaction that is rolled back then. */
    void rollBackAfter(Work work) throws CheckFailed, JMSException, XAException {
        within(work, manager::rollback);
    }

    private interface Ending {
        void run()
                throws SystemException,
                        RollbackException,
                        HeuristicMixedException,
                        HeuristicRollbackException;
    }

    private void within(Work work, Ending ending) throws CheckFailed, JMSException, XAException {
        try {
            manager.begin();
            boolean isDone = false;
            try {
                work.run();
                isDone = true;
            } finally {
                if (!isDone) {
                    manager.rollback();
                }
            }
            ending.run();
        } catch (NotSupportedException
                | SystemException
                | RollbackException
                | HeuristicMixedException
                | HeuristicRollbackException e) {
            throw new CheckFailed("the transaction manager says: " + e);
        }
    }

    /** Whether what the server gives its adapters knows the transactions of this manager. */
    void compareWith(BootstrapContext context) throws CheckFailed, JMSException, XAException {
        TransactionSynchronizationRegistry registry =
                context.getTransactionSynchronizationRegistry();
        rollBackAfter(
                () -> {
                    if (registry == null
                            || registry.getTransactionStatus() != Status.STATUS_ACTIVE) {
                        throw new CheckFailed(
                                "it does not know a transaction that was begun: the server has two"
                                        + " transaction managers, which is an error of its set-up");
                    }
                });
    }

    /** The Xid of a branch as this server makes them; its transaction is rolled back already. */
    Xid newXid() throws CheckFailed, JMSException, XAException {
        XidRecorder recorder = new XidRecorder();
        rollBackAfter(
                () -> {
                    try {
                        manager.getTransaction().enlistResource(recorder);
                    } catch (RollbackException | SystemException e) {
                        throw new CheckFailed("a new transaction takes no resource: " + e);
                    }
                });
        Xid xid = recorder.xid();
        if (xid == null) {
            throw new CheckFailed("the transaction manager started no branch of a resource");
        }
        return xid;
    }
}
