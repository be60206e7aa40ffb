package org.metaq.narayana;

import java.util.function.Consumer;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.tm.JtaTransactions;
import org.metaq.tm.TransactionalConnectionFactory;

/**
 * Everything for JMS in Narayana's transactions in one call:
 *
 * <pre>{@code
 * TransactionalConnectionFactory jms =
 *         MetaQNarayana.connectionFactory(new MetaQConnectionFactory("metaq://broker1:8123"));
 * }</pre>
 *
 * gives a connection factory whose sessions join the transaction of their thread, and has Narayana
 * recover the broker's in-doubt branches until the factory is closed. The broker need not be there:
 * both connect when they first need it. Configure Narayana before; call it before the first
 * transaction. Stateless.
 */
public final class MetaQNarayana {
    private MetaQNarayana() {}

    /**
     * A connection factory for Narayana's transactions, with recovery.
     *
     * @param factory of the broker; if it has a client id, the default of {@code maxConnections} is
     *     1, because a broker knows a client id for one connection at a time
     * @throws IllegalStateException if Narayana has no XA recovery module
     */
    public static TransactionalConnectionFactory connectionFactory(MetaQConnectionFactory factory) {
        return connectionFactory(factory, options -> {});
    }

    /**
     * As {@link #connectionFactory(MetaQConnectionFactory)}.
     *
     * @param options sets the pool's limits
     * @throws IllegalStateException if Narayana has no XA recovery module
     */
    public static TransactionalConnectionFactory connectionFactory(
            MetaQConnectionFactory factory,
            Consumer<TransactionalConnectionFactory.Builder> options) {
        TransactionalConnectionFactory.Builder builder =
                TransactionalConnectionFactory.builder(
                        factory,
                        new JtaTransactions(
                                com.arjuna.ats.jta.TransactionManager.transactionManager()));
        if (!factory.equals(factory.withoutClientId())) {
            builder.maxConnections(1);
        }
        options.accept(builder);
        MetaQRecovery recovery = MetaQRecovery.register(factory);
        return builder.onClose(recovery::close).build();
    }
}
