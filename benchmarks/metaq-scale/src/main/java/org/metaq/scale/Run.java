package org.metaq.scale;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.metaq.bench.BrokerProcess;
import org.metaq.bench.Usage;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.scale.Measure.Bound;

/** One run of a scenario: its broker, its size, and what was measured. Confined to one thread. */
final class Run {
    static final double SECOND_NS = 1e9;
    static final double MB = 1 << 20;

    private static final int WARM_UP = 200;
    private static final double IDLE_S = 20;
    private static final double IDLE_MIN_S = 1;
    private static final double SETTLE_S = 2;

    private final Size size;
    private final BrokerProcess broker;
    private final PrintStream out;
    private final List<Measure> measures = new ArrayList<>();
    private long shownNs = System.nanoTime();

    /**
     * How large the run is.
     *
     * @param factor of all counts, above 0; rates are compared with their limits from 1 on
     * @param messageLength of a message of the backlog, bytes
     */
    record Size(double factor, int messageLength) {
        /** The factor's part of a count, at least 1. */
        int of(int count) {
            return (int) Math.max(1, Math.round(count * factor));
        }
    }

    /**
     * A run.
     *
     * @param out gets progress and measures in lines
     */
    Run(Size size, BrokerProcess broker, PrintStream out) {
        this.size = size;
        this.broker = broker;
        this.out = out;
    }

    Size size() {
        return size;
    }

    BrokerProcess broker() {
        return broker;
    }

    /** A factory for the broker as it runs now. */
    MetaQConnectionFactory factory() {
        return new MetaQConnectionFactory(broker.url());
    }

    List<Measure> measures() {
        return measures;
    }

    /** Has broker and clients load their classes, so that what follows does not pay for it. */
    void warmUp() throws JMSException {
        Queue queue = new MetaQQueue("scale.warm-up");
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(queue);
                MessageConsumer consumer = session.createConsumer(queue)) {
            connection.start();
            for (int i = 0; i < WARM_UP; i++) {
                producer.send(session.createTextMessage("warm-up"));
                consumer.receive();
            }
        }
    }

    // ---- progress

    /** Tells how far it is, at most once a second; but always of the end. */
    void progress(String what, long done, long all) {
        long nowNs = System.nanoTime();
        if (done == all || nowNs - shownNs >= SECOND_NS) {
            shownNs = nowNs;
            out.println(String.format(Locale.ROOT, "%s: %,d of %,d", what, done, all));
        }
    }

    // ---- measures

    /** A figure for information. */
    void measure(String name, double value, String unit) {
        add(new Measure(name, value, unit, Bound.NONE, 0));
    }

    /** A figure that holds at any size. */
    void atMost(double limit, String name, double value, String unit) {
        add(new Measure(name, value, unit, Bound.AT_MOST, limit));
    }

    /** A rate, which a short run does not reach: its limit counts in a full one only. */
    void rateAtLeast(double limit, String name, double value, String unit) {
        Bound bound = size.factor() < 1 ? Bound.NONE : Bound.AT_LEAST;
        add(new Measure(name, value, unit, bound, limit));
    }

    /** A time, as {@link #rateAtLeast}. */
    void timeAtMost(double limitSeconds, String name, double seconds) {
        Bound bound = size.factor() < 1 ? Bound.NONE : Bound.AT_MOST;
        add(new Measure(name, seconds, "s", bound, limitSeconds));
    }

    private void add(Measure measure) {
        measures.add(measure);
        out.println(measure.toLine());
    }

    /** The broker's and this process's highest resident memory so far. */
    void peakMemory(double brokerMb, double clientMb) throws IOException {
        atMost(brokerMb, "broker peak RSS", Usage.peakRssBytes(broker.pid()) / MB, "MB");
        atMost(
                clientMb,
                "clients' peak RSS",
                Usage.peakRssBytes(ProcessHandle.current().pid()) / MB,
                "MB");
    }

    /** Waits, and measures the processor time that broker and clients use meanwhile. */
    void idle(double percentMax) throws IOException, InterruptedException {
        double seconds = Math.max(IDLE_MIN_S, IDLE_S * Math.min(1, size.factor()));
        long self = ProcessHandle.current().pid();
        // What came before has its tail: garbage, compilers, a checkpoint.
        Thread.sleep((long) (1000 * Math.min(SETTLE_S, seconds)));
        out.println(String.format(Locale.ROOT, "idle for %.0f s", seconds));
        long brokerUs = Usage.cpuUs(broker.pid());
        long clientUs = Usage.cpuUs(self);
        long startNs = System.nanoTime();
        Thread.sleep((long) (seconds * 1000));
        double elapsedUs = (System.nanoTime() - startNs) / 1e3;
        atMost(
                percentMax,
                "broker CPU, idle",
                100 * (Usage.cpuUs(broker.pid()) - brokerUs) / elapsedUs,
                "% of a core");
        atMost(
                percentMax,
                "clients' CPU, idle",
                100 * (Usage.cpuUs(self) - clientUs) / elapsedUs,
                "% of a core");
    }

    /** What the heap of this process, which is that of the clients, holds after a collection. */
    static long clientHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Resident memory of this process, which holds buffers and stacks besides the heap. */
    static long clientRssBytes() throws IOException {
        return Usage.rssBytes(ProcessHandle.current().pid());
    }

    /** How many a second. */
    static double rate(long count, long startNs) {
        return count * SECOND_NS / Math.max(1, System.nanoTime() - startNs);
    }

    static double secondsSince(long startNs) {
        return (System.nanoTime() - startNs) / SECOND_NS;
    }

    /** Free space of the file system of a directory. */
    static long freeBytes(Path directory) throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }
}
