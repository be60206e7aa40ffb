package org.metaq.ra.inbound;

import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ResourceAdapterInternalException;
import jakarta.resource.spi.UnavailableException;
import java.util.Timer;
import java.util.TimerTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What endpoints do later, on the one thread of a container's timer: it must be short. Thread-safe.
 */
final class Schedule {
    private static final Logger LOG = LoggerFactory.getLogger(Schedule.class);

    private final Timer timer;

    Schedule(Timer timer) {
        this.timer = timer;
    }

    /**
     * On a timer of its own, whose thread has the class loader of the resource adapter.
     *
     * @throws ResourceAdapterInternalException if the server has none
     */
    static Schedule of(BootstrapContext context) throws ResourceAdapterInternalException {
        Thread current = Thread.currentThread();
        ClassLoader given = current.getContextClassLoader();
        current.setContextClassLoader(Schedule.class.getClassLoader());
        try {
            return new Schedule(context.createTimer());
        } catch (UnavailableException e) {
            throw new ResourceAdapterInternalException("the server has no timer", e);
        } finally {
            current.setContextClassLoader(given);
        }
    }

    /**
     * Has something done later, unless it is cancelled or the schedule is over by then.
     *
     * @param delayMs &gt;= 0
     */
    TimerTask after(long delayMs, Runnable what) {
        TimerTask task =
                new TimerTask() {
                    @Override
                    public void run() {
                        try {
                            what.run();
                        } catch (RuntimeException e) {
                            // which would end the timer for all endpoints
                            LOG.error("a task of an endpoint failed", e);
                        }
                    }
                };
        try {
            timer.schedule(task, delayMs);
        } catch (IllegalStateException e) {
            LOG.debug("the resource adapter has stopped: {}", e.getMessage());
        }
        return task;
    }

    /** Forgets what was cancelled. */
    void purge() {
        timer.purge();
    }

    /** Nothing is done any more. */
    void stop() {
        timer.cancel();
    }
}
