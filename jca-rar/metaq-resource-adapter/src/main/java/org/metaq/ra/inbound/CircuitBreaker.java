package org.metaq.ra.inbound;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Tells an endpoint that fails from a message that does. When so many different messages have
 * failed with no success between them, something that all of them need is away: the breaker opens,
 * and from then on only probes are delivered, one at a time, until one succeeds.
 *
 * <pre>
 * CLOSED    -> OPEN       the threshold is reached
 * OPEN      -> HALF_OPEN  a probe begins: the delay is over
 * HALF_OPEN -> OPEN       the probe failed (the delay doubles), or was not made (it stays)
 * HALF_OPEN -> CLOSED     the probe succeeded
 * </pre>
 *
 * <p>What ordinary deliveries, begun before it opened, come to meanwhile says nothing new and
 * changes nothing. Thread-safe: guarded by itself; a leaf, it calls nobody but the clock.
 */
final class CircuitBreaker {
    /** Where it is. */
    enum State {
        /** Deliveries go on. */
        CLOSED,
        /** Nothing is delivered until the delay is over. */
        OPEN,
        /** One message is being delivered as a probe. */
        HALF_OPEN
    }

    /** More than sessions look through; the oldest are forgotten. */
    private static final int FAILED_PROBES_MAX = 10_000;

    private final int threshold;
    private final long firstDelayMs;
    private final long maxDelayMs;
    private final LongSupplier clockMs;

    private State state = State.CLOSED;

    /** Ids of messages that failed with no success since. */
    private final Set<String> failed = new HashSet<>();

    /** Ids of messages that failed as probes since it opened. */
    private final Set<String> failedProbes = new LinkedHashSet<>();

    private int failuresInARow;
    private long delayMs;
    private long probeAtMs;

    /**
     * A closed one.
     *
     * @param threshold different messages in a row that open it, &gt;= 2; 0: it never opens
     * @param firstDelayMs from its opening to the first probe
     * @param maxDelayMs what the doubled delay does not exceed
     * @param clockMs milliseconds that never run backwards
     */
    CircuitBreaker(int threshold, long firstDelayMs, long maxDelayMs, LongSupplier clockMs) {
        this.threshold = threshold;
        this.firstDelayMs = firstDelayMs;
        this.maxDelayMs = maxDelayMs;
        this.clockMs = clockMs;
    }

    synchronized State state() {
        return state;
    }

    synchronized boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Deliveries that failed since the last success; probes included. */
    synchronized int failuresInARow() {
        return failuresInARow;
    }

    /** An ordinary delivery succeeded. */
    synchronized void succeeded() {
        if (state == State.CLOSED) {
            forgetFailures();
        }
    }

    /**
     * An ordinary delivery failed.
     *
     * @return whether that opened it
     */
    synchronized boolean failed(String messageId) {
        failuresInARow++;
        if (state != State.CLOSED || threshold == 0) {
            return false;
        }
        failed.add(messageId);
        if (failed.size() < threshold) {
            return false;
        }
        delayMs = firstDelayMs;
        open();
        return true;
    }

    /** Milliseconds until a probe may begin; 0: now. Only while it is open. */
    synchronized long untilProbeMs() {
        return Math.max(0, probeAtMs - clockMs.getAsLong());
    }

    /**
     * Begins a probe, which one of the three methods that follow must end.
     *
     * @return false if it is not open, or it is too early
     */
    synchronized boolean beginProbe() {
        if (state != State.OPEN || untilProbeMs() > 0) {
            return false;
        }
        state = State.HALF_OPEN;
        return true;
    }

    /** The probe succeeded. */
    synchronized void probeSucceeded() {
        requireProbe();
        state = State.CLOSED;
        failedProbes.clear();
        forgetFailures();
    }

    /** The probe failed: the next one comes later. */
    synchronized void probeFailed(String messageId) {
        requireProbe();
        failuresInARow++;
        failedProbes.add(messageId);
        if (failedProbes.size() > FAILED_PROBES_MAX) {
            failedProbes.remove(failedProbes.iterator().next());
        }
        delayMs = Math.min(2 * delayMs, maxDelayMs);
        open();
    }

    /** The probe was not made, as its session had to end. The next one need not come later. */
    synchronized void probeAbandoned() {
        requireProbe();
        open();
    }

    /** Whether another message would be a better probe, as this one failed as such. */
    synchronized boolean hasFailedAsProbe(String messageId) {
        return failedProbes.contains(messageId);
    }

    private void requireProbe() {
        if (state != State.HALF_OPEN) {
            throw new IllegalStateException("no probe is under way: " + state);
        }
    }

    private void open() {
        state = State.OPEN;
        probeAtMs = clockMs.getAsLong() + delayMs;
    }

    private void forgetFailures() {
        failed.clear();
        failuresInARow = 0;
    }
}
