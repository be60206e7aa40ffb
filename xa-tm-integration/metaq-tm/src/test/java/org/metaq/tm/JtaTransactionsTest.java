package org.metaq.tm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JtaTransactionsTest {
    private static final XAResource RESOURCE =
            FakeProvider.fake(XAResource.class, (proxy, method, arguments) -> null);

    private int status = Status.STATUS_ACTIVE;
    private Throwable failure;
    private Synchronization registered;

    private Object answer(String method, Object[] arguments) throws Throwable {
        if (method.equals("getStatus")) {
            return status;
        }
        if (failure != null) {
            throw failure;
        }
        if (method.equals("registerSynchronization")) {
            registered = (Synchronization) arguments[0];
            return null;
        }
        return method.equals("enlistResource") ? false : null;
    }

    private final Transaction transaction =
            FakeProvider.fake(
                    Transaction.class,
                    (proxy, method, arguments) ->
                            method.getName().equals("toString")
                                    ? "tx"
                                    : answer(method.getName(), arguments));
    private final JtaTransactions transactions =
            new JtaTransactions(
                    FakeProvider.fake(
                            TransactionManager.class, (proxy, method, arguments) -> transaction));

    @ParameterizedTest
    @CsvSource({
        Status.STATUS_ACTIVE + ", ACTIVE",
        Status.STATUS_MARKED_ROLLBACK + ", ROLLBACK_ONLY",
        Status.STATUS_PREPARING + ", OVER",
        Status.STATUS_PREPARED + ", OVER",
        Status.STATUS_COMMITTING + ", OVER",
        Status.STATUS_COMMITTED + ", OVER",
        Status.STATUS_ROLLING_BACK + ", OVER",
        Status.STATUS_ROLLEDBACK + ", OVER",
        Status.STATUS_UNKNOWN + ", OVER",
        Status.STATUS_NO_TRANSACTION + ", OVER"
    })
    void shouldTellWhatATransactionCanStillDo(int given, CurrentTransaction.State state)
            throws JMSException {
        status = given;
        assertThat(transactions.current().state()).isEqualTo(state);
        assertThat(transactions.current().key()).isSameAs(transaction);
    }

    @Test
    void shouldTellThatThereIsNone() throws JMSException {
        TransactionManager idle =
                FakeProvider.fake(TransactionManager.class, (proxy, method, arguments) -> null);
        assertThat(new JtaTransactions(idle).current()).isNull();
        assertThat(Transactions.none().current()).isNull();
    }

    @Test
    void shouldSayWhyAResourceDoesNotTakePart() throws JMSException {
        CurrentTransaction current = transactions.current();
        assertThatThrownBy(() -> current.enlist(RESOURCE))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("its manager refuses");
        failure = new RollbackException("too late");
        assertThatThrownBy(() -> current.enlist(RESOURCE))
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("too late")
                .hasCause(failure);
        assertThatThrownBy(() -> current.afterCompletion(() -> {}))
                .isInstanceOf(TransactionRolledBackException.class);
        failure = new SystemException("broken");
        assertThatThrownBy(() -> current.enlist(RESOURCE))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("broken");
    }

    @Test
    void shouldRunTheActionAfterCompletionOnly() throws JMSException {
        AtomicInteger runs = new AtomicInteger();
        transactions.current().afterCompletion(runs::incrementAndGet);
        registered.beforeCompletion();
        assertThat(runs).hasValue(0);
        registered.afterCompletion(Status.STATUS_ROLLEDBACK);
        assertThat(runs).hasValue(1);
    }
}
