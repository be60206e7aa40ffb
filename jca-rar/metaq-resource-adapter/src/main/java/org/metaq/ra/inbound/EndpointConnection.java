package org.metaq.ra.inbound;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.EndpointSession;
import org.metaq.jms.session.MetaQXAConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of an endpoint with all its sessions. It is made with its sessions paused, serves
 * until it is lost or closed, and is not made anew. Thread-safe: nothing changes once it is open,
 * but that it is lost.
 */
final class EndpointConnection {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointConnection.class);

    /** What is left to close the connection once endpoints had their time. */
    private static final long CLOSE_GRACE_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final MetaQXAConnection connection;
    private final List<DeliveryWork> works = new ArrayList<>();

    // Written by the thread that tells of failures, read by whoever takes over the connection.
    private volatile @Nullable JMSException loss;

    // Set and read by whoever ends the activation.
    private @Nullable Thread closer;

    private EndpointConnection(MetaQXAConnection connection) {
        this.connection = connection;
    }

    /** Is told of a lost connection, on a thread of its own, which may close the connection. */
    @FunctionalInterface
    interface LossListener {
        /** It is lost; perhaps before {@link #open} has returned it. */
        void lost(EndpointConnection lost, JMSException why);
    }

    /**
     * Connects, which takes as long as the connect time-out. The sessions hold until {@link
     * #follow}.
     *
     * @param sessionCount &gt;= 1
     * @param workOf makes the work that drives a session
     * @throws JMSException if the broker is not there or refuses; nothing is left open
     */
    static EndpointConnection open(
            EndpointTarget target,
            int sessionCount,
            Function<EndpointSession, DeliveryWork> workOf,
            LossListener listener)
            throws JMSException {
        EndpointConnection opened =
                new EndpointConnection(target.connectionFactory().createXAConnection());
        boolean isOpen = false;
        try {
            opened.watch(listener);
            for (int i = 0; i < sessionCount; i++) {
                opened.openSession(target, workOf);
            }
            opened.connection.start();
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                opened.close();
            }
        }
    }

    private void watch(LossListener listener) throws JMSException {
        connection.setExceptionListener(
                why -> {
                    loss = why;
                    listener.lost(this, why);
                });
    }

    private void openSession(EndpointTarget target, Function<EndpointSession, DeliveryWork> workOf)
            throws JMSException {
        AtomicReference<@Nullable DeliveryWork> work = new AtomicReference<>();
        EndpointSession session =
                connection.createEndpointSession(
                        target.destination(),
                        target.selector(),
                        target.subscription(),
                        target.acknowledgeMode(),
                        () -> {
                            DeliveryWork told = work.get();
                            if (told != null) {
                                told.arrived();
                            }
                        });
        session.pause();
        DeliveryWork made = workOf.apply(session);
        work.set(made);
        works.add(made);
    }

    /** The sessions; at least one. */
    List<DeliveryWork> works() {
        return works;
    }

    /** Why it is lost; null: it is not. */
    @Nullable JMSException loss() {
        return loss;
    }

    /** Has each session do what its owner wants by now. */
    void follow() {
        works.forEach(DeliveryWork::follow);
    }

    /** Sessions that have a thread just now. */
    int busyCount() {
        return (int) works.stream().filter(DeliveryWork::isBusy).count();
    }

    /** Closes at once. What is being delivered goes on, but its transaction is rolled back. */
    void abandon() {
        works.forEach(DeliveryWork::beginClose);
        close();
    }

    /**
     * Begins to close, in the background: when what is being delivered is done, or the time is
     * over. {@link #awaitClose} waits for it.
     *
     * @param deadlineNs when it should be closed, of {@link System#nanoTime}
     */
    void beginClose(long deadlineNs) {
        works.forEach(DeliveryWork::beginClose);
        Thread started = new Thread(() -> finish(deadlineNs - CLOSE_GRACE_NS), "metaq-ra-close");
        started.setDaemon(true);
        started.start();
        closer = started;
    }

    /** Waits until it is closed, or the time is over: if the broker does not answer. */
    void awaitClose(long deadlineNs) {
        Thread closing = closer;
        if (closing == null) {
            return;
        }
        try {
            TimeUnit.NANOSECONDS.timedJoin(closing, deadlineNs - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (closing.isAlive()) {
            LOG.warn("a connection is being closed in the background: the broker does not answer");
        }
    }

    private void finish(long deadlineNs) {
        // what was fetched is for others, and at once
        follow();
        try {
            for (DeliveryWork work : works) {
                if (!work.awaitEnd(deadlineNs - System.nanoTime())) {
                    LOG.warn("an endpoint is still busy with a message, which will come again");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    private void close() {
        try {
            connection.close();
        } catch (JMSException e) {
            LOG.debug("a connection was closed without the broker: {}", e.getMessage());
        }
    }
}
