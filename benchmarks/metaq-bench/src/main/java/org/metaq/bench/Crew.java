package org.metaq.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The members of one workload. Confined to the thread that measures, but for {@link #isWorking},
 * which any may ask.
 */
final class Crew {
    private static final long END_TIMEOUT_MS = 60_000;
    private static final long POLL_NS = 1_000_000;

    private final List<Member> members = new ArrayList<>();
    // Written by the measuring thread, read by all.
    private volatile boolean isWorking = true;

    /** Adds a member, which does not work yet. */
    Member add(String name, Member.Task task) {
        Member member = new Member(name, task);
        members.add(member);
        return member;
    }

    /** Starts all members. */
    void start() {
        members.forEach(Member::start);
    }

    /** False when members are to come to an end. */
    boolean isWorking() {
        return isWorking;
    }

    /** Tells the members that send, or whatever they do, to come to an end. */
    void stop() {
        isWorking = false;
    }

    /**
     * Lets the members work for the warm-up and the measured time.
     *
     * @param counter of what is done
     * @param latency to which the members note theirs
     * @throws BenchException if a member fails
     */
    Map<Metric, Double> measure(Context context, LongSupplier counter, Latency latency)
            throws BenchException, IOException {
        return measure(context.brokerPid(), context.times(), counter, latency);
    }

    /** As {@link #measure(Context, LongSupplier, Latency)}, where there is no such context. */
    Map<Metric, Double> measure(
            long brokerPid, Context.Times times, LongSupplier counter, Latency latency)
            throws BenchException, IOException {
        // Connecting and the first message are no warm-up.
        awaitCount(counter, 1);
        pause(times.warmUpNs());
        long before = counter.getAsLong();
        latency.restart();
        Window window = new Window(brokerPid);
        pause(times.measuredNs());
        return window.close(counter.getAsLong() - before, latency.take());
    }

    /** Waits until a counter is there. */
    void awaitCount(LongSupplier counter, long count) throws BenchException {
        long lastCount = -1;
        long deadline = 0;
        for (long now = counter.getAsLong(); now < count; now = counter.getAsLong()) {
            if (now != lastCount) {
                lastCount = now;
                deadline = System.nanoTime() + END_TIMEOUT_MS * POLL_NS;
            }
            checkFailures();
            if (System.nanoTime() > deadline) {
                throw new BenchException(
                        "stuck at "
                                + now
                                + " of "
                                + count
                                + " for "
                                + END_TIMEOUT_MS / 1000
                                + " s");
            }
            LockSupport.parkNanos(POLL_NS);
        }
        checkFailures();
    }

    /** Waits until all members have come to their end. */
    void awaitEnd() throws BenchException, InterruptedException {
        awaitEnd(members);
    }

    /** Waits until these members have come to their end. */
    void awaitEnd(List<Member> some) throws BenchException, InterruptedException {
        for (Member member : some) {
            boolean hasEnded = member.awaitEnd(END_TIMEOUT_MS);
            checkFailures();
            if (!hasEnded) {
                throw new BenchException("a client hangs after " + member.count() + " messages");
            }
        }
    }

    private void pause(long durationNs) throws BenchException {
        long end = System.nanoTime() + durationNs;
        for (long left = durationNs; left > 0; left = end - System.nanoTime()) {
            checkFailures();
            LockSupport.parkNanos(Math.min(left, 100 * POLL_NS));
        }
    }

    private void checkFailures() throws BenchException {
        for (Member member : members) {
            Throwable failure = member.failure();
            if (failure != null) {
                stop();
                throw new BenchException("a client failed: " + cause(failure), failure);
            }
        }
    }

    /** What reflection and libraries wrapped. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        for (Throwable next = cause.getCause(); next != null; next = cause.getCause()) {
            cause = next;
        }
        return cause;
    }
}
