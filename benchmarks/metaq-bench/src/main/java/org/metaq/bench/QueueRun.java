package org.metaq.bench;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * One workload against one broker. Made and run by one thread; producers and consumers ask it
 * whether to go on.
 */
final class QueueRun {
    /** Messages that the consumers may be behind before producers wait. */
    private static final long MAX_LAG = 10_000;

    private static final long END_TIMEOUT_MS = 60_000;
    private static final long POLL_NS = 1_000_000;

    /** Of a backlog: what is received before the measured time, and at its end. */
    private static final double BACKLOG_WARM_SHARE = 0.3;

    private static final double BACKLOG_END_SHARE = 0.95;

    private final Workload workload;
    private final String queue;
    private final long brokerPid;
    private final Times times;
    private final Latency latency = new Latency();
    private final List<Producer> producers = new ArrayList<>();
    private final List<Consumer> consumers = new ArrayList<>();
    // Written by the measuring thread, read by all.
    private volatile boolean isSending = true;

    QueueRun(Workload workload, ConnectionFactory factory, long brokerPid, Times times) {
        this.workload = workload;
        this.queue = "bench." + workload;
        this.brokerPid = brokerPid;
        this.times = times;
        for (int i = 0; i < workload.pairs(); i++) {
            producers.add(new Producer(this, i, factory));
            consumers.add(new Consumer(this, i, factory));
        }
    }

    /**
     * How long it takes.
     *
     * @param warmUpNs before anything is measured
     * @param measuredNs measured time
     */
    record Times(long warmUpNs, long measuredNs) {}

    /**
     * Runs it.
     *
     * @return one measurement; of transactions one for the sends and one for the receives
     * @throws BenchException if a producer or consumer failed, or did not end
     */
    List<Measurement> run() throws BenchException, InterruptedException, IOException {
        return workload.style() == Workload.Style.TRANSACTED ? fillAndDrain() : sendAndReceive();
    }

    Workload workload() {
        return workload;
    }

    String queue() {
        return queue;
    }

    Latency latency() {
        return latency;
    }

    boolean isSending() {
        return isSending;
    }

    boolean isLagging() {
        return sent() - received() > MAX_LAG;
    }

    boolean isAllReceived() {
        return received() >= sent();
    }

    private List<Measurement> sendAndReceive()
            throws BenchException, InterruptedException, IOException {
        consumers.forEach(Member::start);
        producers.forEach(Member::start);
        // Connecting and the first message are no warm-up.
        awaitCount(this::received, 1);
        pause(times.warmUpNs());
        long sentBefore = sent();
        long receivedBefore = received();
        latency.restart();
        Window window = new Window(brokerPid);
        pause(times.measuredNs());
        long messages = Math.min(sent() - sentBefore, received() - receivedBefore);
        Map<Metric, Double> values = window.close(messages, latency.take());
        isSending = false;
        awaitEnd();
        putBalance(values);
        return List.of(new Measurement(workload.name(), values));
    }

    private List<Measurement> fillAndDrain()
            throws BenchException, InterruptedException, IOException {
        producers.forEach(Member::start);
        awaitCount(this::sent, 1);
        pause(times.warmUpNs());
        long before = sent();
        latency.restart();
        Window filling = new Window(brokerPid);
        pause(times.measuredNs());
        Map<Metric, Double> sends = filling.close(sent() - before, latency.take());
        isSending = false;
        for (Producer producer : producers) {
            awaitEnd(producer);
        }
        consumers.forEach(Member::start);
        awaitCount(this::received, (long) (sent() * BACKLOG_WARM_SHARE));
        long receivedBefore = received();
        latency.restart();
        Window draining = new Window(brokerPid);
        awaitCount(this::received, (long) (sent() * BACKLOG_END_SHARE));
        Map<Metric, Double> receives = draining.close(received() - receivedBefore, latency.take());
        awaitEnd();
        putBalance(sends);
        putBalance(receives);
        return List.of(
                new Measurement(workload.name() + "p", sends),
                new Measurement(workload.name() + "c", receives));
    }

    private void putBalance(Map<Metric, Double> values) {
        int[] sent = producers.stream().mapToInt(Member::count).toArray();
        Ledger.Balance balance =
                Ledger.balance(sent, consumers.stream().map(Consumer::ledger).toList());
        values.put(Metric.SENT, (double) sent());
        values.put(Metric.RECEIVED, (double) received());
        values.put(Metric.LOST, (double) balance.lost());
        values.put(Metric.DOUBLED, (double) balance.doubled());
    }

    private void pause(long durationNs) throws BenchException {
        long end = System.nanoTime() + durationNs;
        for (long left = durationNs; left > 0; left = end - System.nanoTime()) {
            checkFailures();
            LockSupport.parkNanos(Math.min(left, 100 * POLL_NS));
        }
    }

    private void awaitCount(LongSupplier counter, long count) throws BenchException {
        long deadline = System.nanoTime() + END_TIMEOUT_MS * POLL_NS;
        while (counter.getAsLong() < count) {
            checkFailures();
            if (System.nanoTime() > deadline) {
                throw new BenchException(
                        workload
                                + ": "
                                + counter.getAsLong()
                                + " of "
                                + count
                                + " messages after "
                                + END_TIMEOUT_MS / 1000
                                + " s");
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private void awaitEnd() throws BenchException, InterruptedException {
        for (Producer producer : producers) {
            awaitEnd(producer);
        }
        for (Consumer consumer : consumers) {
            awaitEnd(consumer);
        }
    }

    private void awaitEnd(Member member) throws BenchException, InterruptedException {
        boolean hasEnded = member.awaitEnd(END_TIMEOUT_MS);
        checkFailures();
        if (!hasEnded) {
            throw new BenchException(
                    workload + ": a client hangs after " + member.count() + " messages");
        }
    }

    private void checkFailures() throws BenchException {
        List<Member> members = new ArrayList<>(producers);
        members.addAll(consumers);
        for (Member member : members) {
            Throwable failure = member.failure();
            if (failure != null) {
                throw new BenchException(workload + ": a client failed: " + failure, failure);
            }
        }
    }

    private long sent() {
        return producers.stream().mapToLong(Member::count).sum();
    }

    private long received() {
        return consumers.stream().mapToLong(Member::count).sum();
    }
}
