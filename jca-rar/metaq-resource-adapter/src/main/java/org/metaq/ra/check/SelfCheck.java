package org.metaq.ra.check;

import static java.util.Objects.requireNonNull;

import jakarta.jms.ConnectionFactory;
import jakarta.resource.spi.BootstrapContext;
import java.time.Clock;
import java.time.Instant;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.ra.broker.BrokerSource;

/**
 * Sees whether transactions and their recovery work in this server, by doing what applications and
 * the server do. Each is for one run.
 */
public final class SelfCheck {
    private final BootstrapContext context;
    private final Clock clock;
    private final Instant serverStart;
    private final Report report = new Report();

    // Each is found by its step, and there for those that follow.
    private @Nullable ServerTransactions transactions;
    private @Nullable ConnectionFactory factory;
    private @Nullable CheckQueue queue;

    /**
     * Of one adapter.
     *
     * @param context of the adapter's start
     * @param clock is compared with the time stamps of messages
     * @param serverStart since when this server runs
     */
    public SelfCheck(BootstrapContext context, Clock clock, Instant serverStart) {
        this.context = context;
        this.clock = clock;
        this.serverStart = serverStart;
    }

    /**
     * Checks, which takes some seconds.
     *
     * @param factoryName JNDI name of a connection factory of the adapter
     * @return for people: a line for each step, up to the first that fails; then one for all
     */
    public String run(String factoryName) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // JMX calls with a class loader that does not know the server's names.
        thread.setContextClassLoader(SelfCheck.class.getClassLoader());
        try {
            if (isReady(factoryName) && isEnlisting()) {
                checkRecovery();
            }
        } finally {
            thread.setContextClassLoader(before);
            if (queue != null) {
                queue.close();
            }
        }
        return report.text();
    }

    private boolean isReady(String factoryName) {
        return report.step(
                        "the server's transaction manager is found",
                        () -> transactions = ServerTransactions.find())
                && report.step(
                        "the adapter's TransactionSynchronizationRegistry is of it",
                        () -> requireNonNull(transactions).compareWith(context))
                && report.step(
                        factoryName + " is a connection factory of MetaQ",
                        () -> factory = factory(factoryName))
                && report.step(
                        "the factory's broker can be reached: " + factoryBroker(),
                        () -> queue = new CheckQueue(factoryBroker()));
    }

    private static ConnectionFactory factory(String name) throws CheckFailed {
        Object found;
        try {
            found = Names.lookUp(name);
        } catch (NamingException e) {
            throw new CheckFailed(
                    "there is nothing of that name ("
                            + e
                            + "). It must be the name in the server (WildFly: java:/jms/…, Payara:"
                            + " jms/…), not one in an application's java:comp");
        }
        if (found instanceof BrokerSource && found instanceof ConnectionFactory ours) {
            return ours;
        }
        throw new CheckFailed(
                "it is a "
                        + (found == null ? null : found.getClass().getName())
                        + ", whose connections join no transactions: name a pool's factory");
    }

    private BrokerAccess factoryBroker() {
        return ((BrokerSource) requireNonNull(factory)).brokerAccess();
    }

    private boolean isEnlisting() {
        return new EnlistmentCheck(
                        requireNonNull(transactions),
                        requireNonNull(factory),
                        requireNonNull(queue))
                .run(report);
    }

    private void checkRecovery() {
        new RecoveryCheck(requireNonNull(transactions), requireNonNull(queue), clock, serverStart)
                .run(report);
    }
}
