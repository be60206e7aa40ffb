package org.metaq.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.WorkManager;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.EndpointSession;
import org.metaq.ra.inbound.DeliveryWork.Mode;
import org.metaq.ra.inbound.EndpointDelivery.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The life of an endpoint from activation to deactivation.
 *
 * <p>Its state follows from facts: whether it is stopped, has a connection, is paused, and whether
 * the breaker is closed. Whoever changes a fact does so in {@link #change}, which finds the state
 * that follows, logs the move, and then has the sessions follow, without a lock. A session asks for
 * its {@link #mode} itself, so that moves that cross each other end well.
 *
 * <p>Thread-safe: the facts are guarded by this object; nothing is called with it held but the
 * breaker and the timer.
 */
final class Activation implements DeliveryWork.Owner, Connector.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Activation.class);

    /** Where it is. */
    enum State {
        /** There is no connection; one is made, again and again. */
        CONNECTING,
        /** Messages are delivered. */
        RUNNING,
        /** An operator wants no deliveries. */
        PAUSED,
        /** The endpoint fails; only probes are delivered. */
        BREAKER_OPEN,
        /** Over, for good. */
        STOPPED
    }

    private final String who;
    private final MetaQActivationSpec spec;
    private final EndpointTarget target;
    private final MessageEndpointFactory factory;
    private final boolean isTransacted;
    private final WorkManager workManager;
    private final Schedule schedule;
    private final CircuitBreaker breaker;
    private final Probes probes;
    private final Connector connector;
    private final EndpointCounts counts = new EndpointCounts();

    // ---- guarded by this

    private boolean isStopped;
    private boolean isPaused;

    // Written under the lock, read without by sessions and operators.
    private volatile State state = State.CONNECTING;
    private volatile @Nullable EndpointConnection connection;

    /**
     * An activation that has not begun.
     *
     * @param who names it in logs
     */
    Activation(
            String who,
            MetaQActivationSpec spec,
            EndpointTarget target,
            MessageEndpointFactory factory,
            boolean isTransacted,
            WorkManager workManager,
            Schedule schedule) {
        this.who = who;
        this.spec = spec;
        this.target = target;
        this.factory = factory;
        this.isTransacted = isTransacted;
        this.workManager = workManager;
        this.schedule = schedule;
        this.breaker =
                new CircuitBreaker(
                        spec.getBreakerThreshold(),
                        spec.getBreakerDelay(),
                        spec.getBreakerMaxDelay(),
                        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        this.probes = new Probes(breaker, schedule, this::probe);
        this.connector =
                new Connector(
                        who,
                        this,
                        spec.getReconnectDelay(),
                        spec.getReconnectMaxDelay(),
                        workManager,
                        schedule);
    }

    // ---- facts

    /**
     * Changes facts, and does what follows from them.
     *
     * @param facts returns whether there is something to change, after all
     * @return what {@code facts} did
     */
    private boolean change(String reason, BooleanSupplier facts) {
        EndpointConnection current;
        synchronized (this) {
            if (!facts.getAsBoolean()) {
                return false;
            }
            become(stateNow(), reason);
            current = connection;
        }
        if (current != null && state != State.STOPPED) {
            current.follow();
        }
        return true;
    }

    private State stateNow() {
        if (isStopped) {
            return State.STOPPED;
        }
        if (connection == null) {
            return State.CONNECTING;
        }
        if (isPaused) {
            return State.PAUSED;
        }
        return breaker.isClosed() ? State.RUNNING : State.BREAKER_OPEN;
    }

    private void become(State next, String reason) {
        if (next == state) {
            return;
        }
        boolean isTrouble = next == State.CONNECTING || next == State.BREAKER_OPEN;
        LOG.atLevel(isTrouble ? Level.WARN : Level.INFO)
                .log("{}: {} -> {} ({})", who, state, next, reason);
        state = next;
        if (next == State.BREAKER_OPEN) {
            probes.later();
        }
    }

    // ---- the connection

    /** Begins to connect; returns at once. */
    void start() {
        connector.start();
    }

    @Override
    public EndpointConnection open() throws JMSException {
        return EndpointConnection.open(target, spec.getMaxSessions(), this::work, this::lost);
    }

    private DeliveryWork work(EndpointSession session) {
        return new DeliveryWork(this, workManager, schedule, session, factory, isTransacted);
    }

    @Override
    public void opened(EndpointConnection opened) {
        boolean isTaken =
                change(
                        "connected to " + target.broker(),
                        () -> {
                            if (!isStopped) {
                                connection = opened;
                            }
                            return !isStopped;
                        });
        JMSException loss = opened.loss();
        if (!isTaken) {
            opened.abandon();
        } else if (loss != null) {
            lost(opened, loss);
        }
    }

    @Override
    public void notOpened(String reason) {
        counts.noteFailure(reason);
    }

    private void lost(EndpointConnection gone, JMSException why) {
        boolean wasCurrent =
                change(
                        String.valueOf(why.getMessage()),
                        () -> {
                            if (connection != gone || isStopped) {
                                return false;
                            }
                            connection = null;
                            probes.abandon();
                            return true;
                        });
        if (wasCurrent) {
            counts.noteFailure(Reason.of(why));
            gone.abandon();
            connector.startAgain();
        }
    }

    @Override
    public void failed(DeliveryWork work, JMSException why) {
        EndpointConnection current = connection;
        if (current != null && current.works().contains(work)) {
            lost(current, why);
        }
    }

    // ---- deliveries

    @Override
    public Mode mode(DeliveryWork work) {
        return switch (state) {
            case RUNNING -> Mode.DELIVER;
            case BREAKER_OPEN -> probes.isProber(work) ? Mode.PROBE : Mode.HOLD;
            default -> Mode.HOLD;
        };
    }

    @Override
    public boolean isCounted() {
        return breaker.isClosed();
    }

    @Override
    public boolean hasFailedAsProbe(String messageId) {
        return breaker.hasFailedAsProbe(messageId);
    }

    @Override
    public void delivered(
            DeliveryWork work,
            Mode mode,
            String messageId,
            Outcome outcome,
            @Nullable Throwable failure) {
        if (outcome == Outcome.DONE) {
            counts.countDelivered();
        } else if (failure != null) {
            LOG.debug("{}: delivery of {} failed", who, messageId, failure);
            counts.noteFailure(Reason.of(failure));
        }
        if (outcome == Outcome.FAILED) {
            counts.countFailed();
        }
        if (mode == Mode.PROBE) {
            change("a probe succeeded", () -> probes.end(work, messageId, outcome));
        } else if (outcome == Outcome.DONE) {
            breaker.succeeded();
        } else if (outcome == Outcome.FAILED) {
            change(
                    "different messages failed one after the other, the last at "
                            + counts.lastFailure(),
                    () -> breaker.failed(messageId));
        }
    }

    private void probe() {
        change(
                "a probe",
                () -> {
                    EndpointConnection current = connection;
                    return state == State.BREAKER_OPEN
                            && current != null
                            && probes.begin(current.works());
                });
    }

    // ---- operators

    /** No deliveries until {@link #resume}; what is being delivered goes on. */
    void pause() {
        change(
                "an operator paused it",
                () -> {
                    isPaused = true;
                    probes.abandon();
                    return true;
                });
    }

    /** Ends a {@link #pause}. */
    void resume() {
        change(
                "an operator resumed it",
                () -> {
                    isPaused = false;
                    return true;
                });
    }

    // ---- for operators to read

    State state() {
        return state;
    }

    EndpointTarget target() {
        return target;
    }

    CircuitBreaker breaker() {
        return breaker;
    }

    /** Null while there is none. */
    @Nullable EndpointConnection connection() {
        return connection;
    }

    EndpointCounts counts() {
        return counts;
    }

    // ---- end

    /**
     * Ends it, for good; {@link #awaitStop} waits for what is being delivered.
     *
     * @param deadlineNs what is not done by then is rolled back; of {@link System#nanoTime}
     */
    void beginStop(long deadlineNs) {
        change(
                "deactivated",
                () -> {
                    isStopped = true;
                    probes.abandon();
                    return true;
                });
        connector.stop();
        // nobody replaces it any more
        EndpointConnection last = connection;
        if (last != null) {
            last.beginClose(deadlineNs);
        }
    }

    /** Waits for the end, but not longer than that. */
    void awaitStop(long deadlineNs) {
        EndpointConnection last = connection;
        if (last != null) {
            last.awaitClose(deadlineNs);
        }
        connector.awaitEnd(deadlineNs);
        schedule.purge();
    }
}
