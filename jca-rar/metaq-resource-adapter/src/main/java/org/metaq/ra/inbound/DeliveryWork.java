package org.metaq.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkManager;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.EndpointSession;
import org.metaq.ra.inbound.EndpointDelivery.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One session of an endpoint, and the work that drives it: scheduled with the container when
 * messages arrive, it delivers until none are left, for a while at most, so that other work of the
 * container gets its turn. An idle session holds no thread.
 *
 * <pre>
 * IDLE -> QUEUED -> RUNNING -> IDLE      and from IDLE or RUNNING, once closed: -> ENDED
 * </pre>
 *
 * <p>Thread-safe: the phase is atomic, and whoever moves it to RUNNING drives the session. Pausing
 * and resuming is guarded by {@link #pauseLock}, which comes before the session's lock; {@link
 * #arrived} is called with that held, and takes no lock but the timer's.
 */
final class DeliveryWork implements Work {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryWork.class);

    /** How long a thread waits for one more message; scheduling costs more than that. */
    private static final long LINGER_MS = 100;

    private static final long TURN_MAX_NS = TimeUnit.SECONDS.toNanos(1);

    /** Until the container is asked again for a thread or an endpoint that it did not have. */
    private static final long UNAVAILABLE_DELAY_MS = 500;

    /** What a session may do. */
    enum Mode {
        /** Deliver what comes. */
        DELIVER,
        /** Deliver one message, to see whether the endpoint works again. */
        PROBE,
        /** Nothing. */
        HOLD
    }

    /** Who says what to do, and is told what came of it. Not called with a lock held. */
    interface Owner {
        /** What the session may do now; any thread, quick. */
        Mode mode(DeliveryWork work);

        /** Whether a message that is given back now comes nearer to being a dead letter. */
        boolean isCounted();

        /** Whether another message would be a better probe. */
        boolean hasFailedAsProbe(String messageId);

        /**
         * A delivery ended.
         *
         * @param mode what it began with
         * @param messageId empty if there was no message yet
         * @param failure why it was not DONE
         */
        void delivered(
                DeliveryWork work,
                Mode mode,
                String messageId,
                Outcome outcome,
                @Nullable Throwable failure);

        /** The session gets no messages any more. */
        void failed(DeliveryWork work, JMSException why);
    }

    private enum Phase {
        IDLE,
        QUEUED,
        RUNNING,
        ENDED
    }

    private final Owner owner;
    private final WorkManager workManager;
    private final Schedule schedule;
    private final EndpointSession session;
    private final EndpointDelivery delivery;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.IDLE);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Object pauseLock = new Object();

    // Set by whoever brings messages, cleared by the driver before it looks for them.
    private volatile boolean hasArrived;

    // Written by whoever closes, read by the driver.
    private volatile boolean isClosed;

    // The container had no endpoint; written by the driver and the timer, read by both.
    private volatile boolean isUnavailable;

    DeliveryWork(
            Owner owner,
            WorkManager workManager,
            Schedule schedule,
            EndpointSession session,
            MessageEndpointFactory factory,
            boolean isTransacted) {
        this.owner = owner;
        this.workManager = workManager;
        this.schedule = schedule;
        this.session = session;
        this.delivery = new EndpointDelivery(factory, session, isTransacted, owner::isCounted);
    }

    // ---- from outside

    /** There may be messages. From the threads of the connection: it only passes that on. */
    void arrived() {
        hasArrived = true;
        if (phase.compareAndSet(Phase.IDLE, Phase.QUEUED)) {
            schedule.after(0, this::submit);
        }
    }

    /** Pauses or resumes the session, as the owner's mode is by then. */
    void follow() {
        synchronized (pauseLock) {
            if (isHeld()) {
                pause();
                return;
            }
            session.resume();
        }
        arrived();
    }

    private boolean isHeld() {
        return isClosed || isUnavailable || owner.mode(this) == Mode.HOLD;
    }

    private void pause() {
        try {
            session.pause();
        } catch (JMSException e) {
            LOG.debug("a session is paused, but the broker did not take back its messages", e);
        }
    }

    /** Whether a message is being delivered. */
    boolean isBusy() {
        return phase.get() == Phase.RUNNING;
    }

    /** Delivers no further message; the one under way goes on. */
    void beginClose() {
        isClosed = true;
        if (phase.compareAndSet(Phase.IDLE, Phase.ENDED)) {
            end();
        }
    }

    /** Waits until nothing is delivered any more. After {@link #beginClose}. */
    boolean awaitEnd(long timeoutNs) throws InterruptedException {
        return ended.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    private void end() {
        delivery.release();
        ended.countDown();
    }

    // ---- on the timer's thread

    private void submit() {
        try {
            workManager.scheduleWork(this);
        } catch (WorkException e) {
            LOG.debug("the container has no thread for a delivery now: {}", e.toString());
            if (isClosed) {
                leave(Phase.QUEUED);
            } else {
                schedule.after(UNAVAILABLE_DELAY_MS, this::submit);
            }
        }
    }

    // ---- on the container's thread

    @Override
    public void run() {
        phase.set(Phase.RUNNING);
        try {
            deliverForAWhile();
        } catch (JMSException e) {
            owner.failed(this, e);
        } catch (RuntimeException e) {
            LOG.error("a session of an endpoint failed", e);
            owner.failed(this, new JMSException(e.toString()));
        } catch (InterruptedException e) {
            // the container wants its thread back; the rest has to wait for another
            hasArrived = true;
            Thread.currentThread().interrupt();
        } finally {
            leave(Phase.RUNNING);
        }
    }

    /** Means nothing: WildFly calls it whenever {@link #run} has returned, too. */
    @Override
    public void release() {
        // a turn ends by itself, and whoever deactivates the endpoint ends it all
    }

    private void leave(Phase from) {
        if (!isClosed) {
            phase.compareAndSet(from, Phase.IDLE);
            if (hasArrived) {
                arrived();
            }
        }
        if (isClosed
                && (phase.compareAndSet(from, Phase.ENDED)
                        || phase.compareAndSet(Phase.IDLE, Phase.ENDED))) {
            end();
        }
    }

    private void deliverForAWhile() throws JMSException, InterruptedException {
        long startNs = System.nanoTime();
        while (true) {
            hasArrived = false;
            if (isHeld() || !session.awaitNext(LINGER_MS)) {
                return;
            }
            hasArrived = true;
            if (System.nanoTime() - startNs > TURN_MAX_NS || !deliverNext()) {
                return;
            }
        }
    }

    /** Returns false if the session is to be left alone for a while. */
    private boolean deliverNext() throws JMSException, InterruptedException {
        Mode mode = owner.mode(this);
        if (mode == Mode.HOLD) {
            return true;
        }
        try {
            delivery.prepare();
        } catch (UnavailableException | RuntimeException e) {
            owner.delivered(this, mode, "", Outcome.NOT_TRIED, e);
            standBack();
            return false;
        }
        Message message =
                mode == Mode.PROBE
                        ? session.nextPreferring(m -> !owner.hasFailedAsProbe(idOf(m)), LINGER_MS)
                        : session.next();
        if (message == null) {
            return true;
        }
        Outcome outcome = delivery.deliver(message);
        owner.delivered(this, mode, idOf(message), outcome, delivery.failure());
        if (outcome == Outcome.NOT_TRIED) {
            standBack();
            return false;
        }
        return true;
    }

    private static String idOf(Message message) {
        try {
            return String.valueOf(message.getJMSMessageID());
        } catch (JMSException e) {
            throw new IllegalStateException("a message of ours without header", e);
        }
    }

    /** Gives back what was fetched, so that other sessions or servers get it, and tries later. */
    private void standBack() {
        isUnavailable = true;
        follow();
        schedule.after(
                UNAVAILABLE_DELAY_MS,
                () -> {
                    isUnavailable = false;
                    follow();
                });
    }
}
