package org.metaq.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkManager;
import java.util.TimerTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an endpoint's connection, again and again until there is one, as work of the container: to
 * connect may block, which the timer's thread may not. Thread-safe: guarded by itself, not while it
 * calls its owner.
 */
final class Connector implements Work {
    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    /** Whose connection it is. */
    interface Owner {
        /** Connects. */
        EndpointConnection open() throws JMSException;

        /** It did; the connection belongs to the owner. */
        void opened(EndpointConnection connection);

        /** It did not, and will try again. */
        void notOpened(String reason);
    }

    private final String who;
    private final Owner owner;
    private final long delayMs;
    private final long maxDelayMs;
    private final WorkManager workManager;
    private final Schedule schedule;

    private boolean isStopped;

    /** Under way; two for a moment, when a connection is lost as soon as it is made. */
    private int attempts;

    private int failures;
    private String lastReason = "";
    private @Nullable TimerTask next;

    /**
     * One that does nothing yet.
     *
     * @param who names the endpoint in logs
     * @param delayMs between the first attempts; doubles
     * @param maxDelayMs what it does not exceed
     */
    Connector(
            String who,
            Owner owner,
            long delayMs,
            long maxDelayMs,
            WorkManager workManager,
            Schedule schedule) {
        this.who = who;
        this.owner = owner;
        this.delayMs = delayMs;
        this.maxDelayMs = maxDelayMs;
        this.workManager = workManager;
        this.schedule = schedule;
    }

    /** There is no connection yet: begins at once. Returns at once, too. */
    void start() {
        connectAfter(0);
    }

    /** The connection was lost: begins after the first delay. */
    synchronized void startAgain() {
        failures = 0;
        connectAfter(delayMs());
    }

    /** Begins no further attempt. */
    synchronized void stop() {
        isStopped = true;
        if (next != null) {
            next.cancel();
        }
    }

    /** Waits for the attempt under way, which takes no longer than the connect time-out. */
    synchronized void awaitEnd(long deadlineNs) {
        try {
            while (attempts > 0 && deadlineNs - System.nanoTime() > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, deadlineNs - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void connectAfter(long ms) {
        if (!isStopped) {
            next = schedule.after(ms, this::submit);
        }
    }

    /** Shortened at random, so that many endpoints do not come at once. */
    private long delayMs() {
        double delay = Math.min(delayMs * Math.pow(2, failures), (double) maxDelayMs);
        return (long) (delay * ThreadLocalRandom.current().nextDouble(0.5, 1));
    }

    private void submit() {
        synchronized (this) {
            if (isStopped) {
                return;
            }
            attempts++;
        }
        try {
            workManager.scheduleWork(this);
        } catch (WorkException e) {
            failed("the container has no thread to connect with: " + e);
        }
    }

    @Override
    public void run() {
        try {
            owner.opened(owner.open());
            ended();
        } catch (JMSException e) {
            failed(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("{}: connecting failed", who, e);
            failed(e.toString());
        }
    }

    @Override
    public void release() {
        // an attempt ends by itself, within the connect time-out
    }

    private void failed(String reason) {
        boolean isNews;
        synchronized (this) {
            isNews = !reason.equals(lastReason) || failures == 0;
            lastReason = reason;
        }
        if (isNews) {
            LOG.warn("{}: no connection, tries again and again: {}", who, reason);
        } else {
            LOG.debug("{}: no connection yet: {}", who, reason);
        }
        owner.notOpened(reason);
        synchronized (this) {
            connectAfter(delayMs());
            failures = Math.min(failures + 1, 30);
        }
        ended();
    }

    private synchronized void ended() {
        attempts--;
        notifyAll();
    }
}
