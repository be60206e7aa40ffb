package org.metaq.broker;

import java.util.concurrent.Executor;
import org.metaq.common.Clock;
import org.metaq.protocol.Command;
import org.metaq.store.io.StoreDirectory;

/**
 * A broker. Confined to the writer thread.
 *
 * <p>The caller's duties, in order: {@link #open}; then again and again {@link #connect}, {@link
 * #submit}, {@link #disconnect} for what came from the network, and one {@link #doWork} behind a
 * batch of them, no later than {@link #nextDeadlineNs}; {@link #close}. Any exception out of these
 * methods is the end of this broker: nothing may be submitted any more, the process must stop.
 */
public final class Broker implements AutoCloseable {
    private Broker() {}

    /**
     * Opens the store, recovers, starts an epoch.
     *
     * @param background runs the slow part of checkpoints, one at a time
     * @throws org.metaq.store.StoreException if the store cannot be opened or is damaged
     */
    public static Broker open(
            BrokerConfig config,
            Object journal,
            StoreDirectory directory,
            Clock clock,
            Executor background) {
        throw new IllegalStateException();
    }

    /** A client connected. */
    public BrokerConnection connect(ClientLink link) {
        throw new IllegalStateException();
    }

    /**
     * Takes a command. Replies go to the connection's link, now or in a later {@link #doWork}; a
     * body is copied before this returns.
     */
    public void submit(BrokerConnection connection, Command command) {
        throw new IllegalStateException();
    }

    /** A connection is gone: what it held is released. */
    public void disconnect(BrokerConnection connection) {
        throw new IllegalStateException();
    }

    /**
     * Appends what was submitted, applies what the journal has, answers, runs timers.
     *
     * @return how much was done; 0: nothing to do before {@link #nextDeadlineNs}
     */
    public int doWork() {
        throw new IllegalStateException();
    }

    /** Monotonic time at which {@link #doWork} must be called at the latest. */
    public long nextDeadlineNs() {
        throw new IllegalStateException();
    }

    /** Clean stop: a last checkpoint, then closes the store. */
    @Override
    public void close() {}
}
