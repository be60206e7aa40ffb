package org.metaq.tm;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/**
 * Tells in which transaction the calling thread works: all that a {@link
 * TransactionalConnectionFactory} knows of a transaction manager. {@link JtaTransactions} does for
 * every manager that has the interface of Jakarta Transactions. Implementations are thread-safe.
 */
@FunctionalInterface
public interface Transactions {
    /**
     * The transaction of the calling thread, as long as the thread is bound to it, whatever has
     * become of it; null if the thread has none.
     *
     * @throws JMSException if the manager cannot tell
     */
    @Nullable CurrentTransaction current() throws JMSException;

    /** No manager: no thread ever has a transaction. */
    static Transactions none() {
        return () -> null;
    }
}
