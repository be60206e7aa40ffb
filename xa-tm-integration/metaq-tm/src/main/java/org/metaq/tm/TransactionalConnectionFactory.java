package org.metaq.tm;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.JmsErrors;
import org.metaq.tm.LinkKey.Api;

/**
 * A connection factory whose sessions and contexts take part in the transaction of the thread that
 * makes them, with a pool of connections below. Its connections are cheap: make one where it is
 * needed, and close it there.
 *
 * <p><b>In a transaction</b>, all sessions of a user are one below: what is done through any of
 * them is one branch, commits and rolls back with the transaction, and stays when session and
 * connection are closed before its end. The mode that is asked for does not matter. A session
 * belongs to its transaction for good: elsewhere, and afterwards, it refuses to work. So it does
 * what would end the transaction, or leave its thread: commit, rollback, recover, listeners of
 * every kind. Deliveries begin when the first of the transaction's connections is started, and
 * {@code stop} does not end them.
 *
 * <p><b>Outside of transactions</b> a session has the mode that is asked for, and refuses to work
 * while its thread is in a transaction, unless {@link Builder#allowNotEnlisted} says otherwise. All
 * sessions of a connection share one connection below, so that {@code start}, {@code stop},
 * temporary destinations and the exception listener mean what they always do.
 *
 * <p>A client id is set in the factory below, never on a connection. Contexts are as a connection
 * and a session in one; they have a connection of their own below.
 *
 * <p>Factory and connections are thread-safe; sessions, and all sessions of one transaction
 * together, are for one thread at a time.
 */
public final class TransactionalConnectionFactory implements ConnectionFactory, AutoCloseable {
    private final LinkPool pool;
    private final Leases leases;
    private final List<Runnable> onClose;
    private final String name;

    private TransactionalConnectionFactory(Builder from) {
        this.pool = new LinkPool(from.factory, from.maxConnections, from.maxWait, from.idleTimeout);
        this.leases = new Leases(pool, from.transactions, from.isNotEnlistedAllowed);
        this.onClose = List.copyOf(from.onClose);
        this.name = "TransactionalConnectionFactory[" + from.factory + "]";
    }

    /**
     * Starts to build one.
     *
     * @param factory makes the connections below
     * @param transactions tells the transaction of a thread
     */
    public static Builder builder(XAConnectionFactory factory, Transactions transactions) {
        return new Builder(factory, transactions);
    }

    // ---- connections

    /**
     * A connection with the credentials of the factory below.
     *
     * @throws JMSException if no broker can be reached, or all connections below stay in use
     */
    @Override
    public Connection createConnection() throws JMSException {
        return connection(new LinkKey(Api.CLASSIC, null, null));
    }

    /**
     * A connection of a user.
     *
     * @throws JMSException if no broker can be reached, the credentials are refused, or all
     *     connections below stay in use
     */
    @Override
    public Connection createConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return connection(new LinkKey(Api.CLASSIC, user, password));
    }

    private Connection connection(LinkKey key) throws JMSException {
        leases.requireReachable(key);
        return new ConnectionHandle(leases, key);
    }

    // ---- contexts

    @Override
    public JMSContext createContext() {
        return createContext(JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password) {
        return createContext(user, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(
            @Nullable String user, @Nullable String password, int sessionMode) {
        return context(new LinkKey(Api.SIMPLIFIED, user, password), sessionMode);
    }

    /**
     * A context with the credentials of the factory below.
     *
     * @param sessionMode outside of a transaction; a constant of {@link JMSContext}
     */
    @Override
    public JMSContext createContext(int sessionMode) {
        return context(new LinkKey(Api.SIMPLIFIED, null, null), sessionMode);
    }

    private JMSContext context(LinkKey key, int mode) {
        try {
            BranchLease branch = leases.ofTransaction(key);
            if (branch != null) {
                return branch.handle(JMSContext.class, closed -> {}).as(JMSContext.class);
            }
            return ownContext(leases.own(key), mode);
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    private static JMSContext ownContext(OwnLease lease, int mode) throws JMSException {
        JMSContext handle = null;
        try {
            handle = lease.contextHandle((JMSContext) lease.link().ordinary(mode));
            return handle;
        } finally {
            if (handle == null) {
                lease.release();
            }
        }
    }

    // ---- the pool

    /** Connections below that are open, those in use included; at most the builder's maximum. */
    public int connectionCount() {
        return pool.count();
    }

    /** Connections below that are open, and in no use. */
    public int idleConnectionCount() {
        return pool.idleCount();
    }

    /**
     * Closes the connections that nobody uses; those in use are closed when their connections,
     * contexts and transactions end. Nothing new is opened. A second call does nothing.
     */
    @Override
    public void close() {
        if (pool.close()) {
            onClose.forEach(Runnable::run);
        }
    }

    /** For logs: the factory below. */
    @Override
    public String toString() {
        return name;
    }

    /** Options of a factory. Confined to its thread. */
    public static final class Builder {
        private final XAConnectionFactory factory;
        private final Transactions transactions;
        private final List<Runnable> onClose = new ArrayList<>();
        private int maxConnections = 20;
        private Duration maxWait = Duration.ofSeconds(30);
        private Duration idleTimeout = Duration.ofMinutes(1);
        private boolean isNotEnlistedAllowed;

        private Builder(XAConnectionFactory factory, Transactions transactions) {
            this.factory = factory;
            this.transactions = transactions;
        }

        /**
         * How many connections there are below at most, of all users: one for each transaction
         * under way (two, if it uses sessions and contexts), and one for each connection or context
         * that is used outside of transactions. Default 20.
         *
         * @throws IllegalArgumentException if less than 1
         */
        public Builder maxConnections(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("maxConnections=" + count + ": at least 1");
            }
            maxConnections = count;
            return this;
        }

        /**
         * How long to wait for a connection when all are in use, before a {@link
         * jakarta.jms.ResourceAllocationException}; zero: not at all. Default 30 seconds.
         *
         * @throws IllegalArgumentException if negative
         */
        public Builder maxWait(Duration wait) {
            if (wait.isNegative()) {
                throw new IllegalArgumentException("maxWait=" + wait + ": at least zero");
            }
            maxWait = wait;
            return this;
        }

        /**
         * How long a connection that nobody uses stays open; it is closed at the latest after twice
         * the time. Default one minute.
         *
         * @throws IllegalArgumentException if less than a millisecond
         */
        public Builder idleTimeout(Duration timeout) {
            if (timeout.toMillis() < 1) {
                throw new IllegalArgumentException("idleTimeout=" + timeout + ": at least 1 ms");
            }
            idleTimeout = timeout;
            return this;
        }

        /**
         * Lets sessions and contexts that were made outside of a transaction work while their
         * thread is in one. What they do does not depend on its outcome, which is seldom wanted: by
         * default they refuse.
         */
        public Builder allowNotEnlisted() {
            isNotEnlistedAllowed = true;
            return this;
        }

        /** Has an action run at the end of {@link TransactionalConnectionFactory#close}. */
        public Builder onClose(Runnable action) {
            onClose.add(action);
            return this;
        }

        /** Builds it. It connects when it is first used. */
        public TransactionalConnectionFactory build() {
            return new TransactionalConnectionFactory(this);
        }
    }
}
