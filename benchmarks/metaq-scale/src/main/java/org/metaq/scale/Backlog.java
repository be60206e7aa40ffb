package org.metaq.scale;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import org.metaq.bench.BenchException;
import org.metaq.bench.BrokerProcess;
import org.metaq.jms.destination.MetaQQueue;

/** A queue that nobody reads for long. */
final class Backlog {
    private static final int MESSAGES = 10_000_000;
    private static final int PER_COMMIT = 1_000;
    private static final long RECEIVE_MAX_MS = 60_000;

    /** Header, headers of JMS and index entry of a stored message, about. */
    private static final int OVERHEAD_BYTES = 250;

    /** What a broker wants to be left free, and its journal. */
    private static final long RESERVE_BYTES = 1L << 30;

    private Backlog() {}

    static void run(Run run)
            throws JMSException, IOException, InterruptedException, BenchException {
        int count = run.size().of(MESSAGES);
        requireSpace(run, count);
        Queue queue = new MetaQQueue("scale");
        BrokerProcess broker = run.broker();
        long emptyHeap = broker.liveHeapBytes();
        try (Connection connection = run.factory().createConnection()) {
            Producers.Rates sent =
                    Producers.send(
                            run,
                            connection,
                            new Producers.Load(count, run.size().messageLength(), PER_COMMIT),
                            i -> queue);
            run.measure("sends", sent.perSecond(), "/s");
            run.rateAtLeast(0.7, "sends, last tenth by second tenth", sent.lastToSecond(), "");
        }
        double grown = (broker.liveHeapBytes() - emptyHeap) / Run.MB;
        run.atMost(50, "broker heap of the whole backlog", grown, "MB");
        run.peakMemory(400, 600);
        long stoppingNs = System.nanoTime();
        broker.stop();
        run.measure("clean stop", Run.secondsSince(stoppingNs), "s");
        long stoppedNs = System.nanoTime();
        broker.startAgain();
        run.timeAtMost(3, "restart to ready", Run.secondsSince(stoppedNs));
        drain(run, queue, count, stoppedNs);
        run.peakMemory(400, 600);
    }

    private static void drain(Run run, Queue queue, int count, long stoppedNs)
            throws JMSException, BenchException {
        try (Connection connection = run.factory().createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(queue)) {
            connection.start();
            long startNs = System.nanoTime();
            for (int i = 1; i <= count; i++) {
                if (consumer.receive(RECEIVE_MAX_MS) == null) {
                    throw new BenchException(
                            "nothing came for " + RECEIVE_MAX_MS + " ms after " + (i - 1));
                }
                if (i == 1) {
                    run.timeAtMost(4, "restart to first message", Run.secondsSince(stoppedNs));
                }
                if (i % PER_COMMIT == 0 || i == count) {
                    session.commit();
                    run.progress("received", i, count);
                }
            }
            run.measure("receives", Run.rate(count, startNs), "/s");
            if (consumer.receiveNoWait() != null) {
                throw new BenchException("more came than was sent");
            }
        }
    }

    private static void requireSpace(Run run, int count) throws IOException, BenchException {
        Path directory = run.broker().directory();
        long needed = RESERVE_BYTES + (long) count * (run.size().messageLength() + OVERHEAD_BYTES);
        long free = Run.freeBytes(directory);
        if (free < needed) {
            throw new BenchException(
                    "the backlog needs "
                            + needed
                            + " bytes in "
                            + directory
                            + ", where "
                            + free
                            + " are free; make room, or take a lower --factor or --size");
        }
    }
}
