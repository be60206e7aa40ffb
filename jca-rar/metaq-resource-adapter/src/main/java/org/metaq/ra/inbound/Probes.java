package org.metaq.ra.inbound;

import java.util.List;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;
import org.metaq.ra.inbound.EndpointDelivery.Outcome;

/**
 * The probes of an endpoint whose breaker is open: when one is due, and which session makes it.
 * Guarded by the activation's lock, but for {@link #isProber}.
 */
final class Probes {
    private final CircuitBreaker breaker;
    private final Schedule schedule;
    private final Runnable due;

    private int turn;
    private @Nullable TimerTask next;

    // Written under the lock, read by sessions without.
    private volatile @Nullable DeliveryWork prober;

    /**
     * None for now.
     *
     * @param due run when a probe may begin
     */
    Probes(CircuitBreaker breaker, Schedule schedule, Runnable due) {
        this.breaker = breaker;
        this.schedule = schedule;
        this.due = due;
    }

    /** Whether the session makes the probe that is under way. */
    boolean isProber(DeliveryWork work) {
        return prober == work;
    }

    /** Has the next one begin when the breaker allows it. */
    void later() {
        cancel();
        next = schedule.after(breaker.untilProbeMs(), due);
    }

    /**
     * Has one of the sessions make a probe, another each time.
     *
     * @return false if it is too early
     */
    boolean begin(List<DeliveryWork> sessions) {
        if (!breaker.beginProbe()) {
            later();
            return false;
        }
        prober = sessions.get(Math.floorMod(turn++, sessions.size()));
        return true;
    }

    /**
     * A session has made its probe.
     *
     * @return false if it was abandoned meanwhile
     */
    boolean end(DeliveryWork work, String messageId, Outcome outcome) {
        if (prober != work) {
            return false;
        }
        prober = null;
        switch (outcome) {
            case DONE -> breaker.probeSucceeded();
            case FAILED -> breaker.probeFailed(messageId);
            case NOT_TRIED -> breaker.probeAbandoned();
        }
        if (outcome != Outcome.DONE) {
            later();
        }
        return true;
    }

    /** None is under way or due any more. */
    void abandon() {
        cancel();
        if (prober != null) {
            prober = null;
            breaker.probeAbandoned();
        }
    }

    private void cancel() {
        if (next != null) {
            next.cancel();
            next = null;
        }
    }
}
