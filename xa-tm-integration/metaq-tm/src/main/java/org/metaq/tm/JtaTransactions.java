package org.metaq.tm;

import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/** The transactions of a manager that has the interface of Jakarta Transactions. Thread-safe. */
public final class JtaTransactions implements Transactions {
    private final TransactionManager manager;

    /** The transactions of a manager: Narayana's, an application server's, any other. */
    public JtaTransactions(TransactionManager manager) {
        this.manager = manager;
    }

    @Override
    public @Nullable CurrentTransaction current() throws JMSException {
        try {
            Transaction transaction = manager.getTransaction();
            return transaction == null ? null : new Current(transaction);
        } catch (SystemException e) {
            throw failed("ask for the transaction of this thread", e);
        }
    }

    private record Current(Transaction transaction) implements CurrentTransaction {
        @Override
        public State state() throws JMSException {
            try {
                return switch (transaction.getStatus()) {
                    case Status.STATUS_ACTIVE -> State.ACTIVE;
                    case Status.STATUS_MARKED_ROLLBACK -> State.ROLLBACK_ONLY;
                    default -> State.OVER;
                };
            } catch (SystemException e) {
                throw failed("ask for the status of " + transaction, e);
            }
        }

        @Override
        public Object key() {
            return transaction;
        }

        @Override
        public void enlist(XAResource resource) throws JMSException {
            String doing = "enlist a session in " + transaction;
            try {
                if (!transaction.enlistResource(resource)) {
                    throw new JMSException(
                            doing + ": its manager refuses, see the cause or its log");
                }
            } catch (RollbackException e) {
                throw rolledBack(doing, e);
            } catch (SystemException | IllegalStateException e) {
                throw failed(doing, e);
            }
        }

        @Override
        public void afterCompletion(Runnable action) throws JMSException {
            String doing = "wait for the end of " + transaction;
            try {
                transaction.registerSynchronization(new AfterCompletion(action));
            } catch (RollbackException e) {
                throw rolledBack(doing, e);
            } catch (SystemException | IllegalStateException e) {
                throw failed(doing, e);
            }
        }
    }

    private record AfterCompletion(Runnable action) implements Synchronization {
        @Override
        public void beforeCompletion() {
            // Work may go on until the branches are ended.
        }

        @Override
        public void afterCompletion(int status) {
            action.run();
        }
    }

    private static JMSException failed(String doing, Exception cause) {
        return withCause(new JMSException(doing + ": " + cause.getMessage()), cause);
    }

    private static JMSException rolledBack(String doing, Exception cause) {
        return withCause(
                new TransactionRolledBackException(
                        doing + ": it can only be rolled back: " + cause.getMessage()),
                cause);
    }

    private static JMSException withCause(JMSException exception, Exception cause) {
        exception.initCause(cause);
        exception.setLinkedException(cause);
        return exception;
    }
}
