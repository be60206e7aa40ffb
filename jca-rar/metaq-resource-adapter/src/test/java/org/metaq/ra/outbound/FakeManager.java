package org.metaq.ra.outbound;

import jakarta.resource.ResourceException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/** The transaction manager of a {@link FakeServer}. */
final class FakeManager implements TransactionManager {
    private final FakeServer server;
    private @Nullable FakeTransaction current;

    FakeManager(FakeServer server) {
        this.server = server;
    }

    @Override
    public void begin() {
        current = server.begin();
    }

    private interface Ending {
        void run() throws Exception;
    }

    private void end(Ending ending) throws SystemException {
        current = null;
        try {
            ending.run();
        } catch (Exception e) {
            throw new SystemException(e.toString());
        }
    }

    @Override
    public void commit() throws SystemException {
        end(server::commit);
    }

    @Override
    public void rollback() throws SystemException {
        end(server::rollback);
    }

    @Override
    public int getStatus() {
        return current == null ? Status.STATUS_NO_TRANSACTION : Status.STATUS_ACTIVE;
    }

    @Override
    public Transaction getTransaction() {
        FakeTransaction transaction = current;
        return proxy(
                Transaction.class,
                (name, arguments) -> {
                    if (!name.equals("enlistResource")) {
                        throw new UnsupportedOperationException(name);
                    }
                    transaction.enlist((XAResource) arguments[0]);
                    return true;
                });
    }

    /** A registry that knows of these transactions. */
    TransactionSynchronizationRegistry registry() {
        return proxy(
                TransactionSynchronizationRegistry.class,
                (name, arguments) -> {
                    if (!name.equals("getTransactionStatus")) {
                        throw new UnsupportedOperationException(name);
                    }
                    return getStatus();
                });
    }

    private interface Answer {
        Object to(String method, Object[] arguments) throws XAException, ResourceException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    @Override
    public void setRollbackOnly() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setTransactionTimeout(int seconds) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Transaction suspend() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resume(Transaction transaction) {
        throw new UnsupportedOperationException();
    }
}
