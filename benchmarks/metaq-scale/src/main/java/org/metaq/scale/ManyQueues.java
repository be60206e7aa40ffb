package org.metaq.scale;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.metaq.bench.BenchException;
import org.metaq.bench.BrokerProcess;
import org.metaq.jms.destination.MetaQQueue;

/** Many queues with few messages each. */
final class ManyQueues {
    private static final int QUEUES = 10_000;
    private static final int PER_QUEUE = 10;
    private static final int LENGTH = 1024;
    private static final int CONSUMERS_PER_SESSION = 100;
    private static final long ALL_MAX_S = 120;

    private ManyQueues() {}

    static void run(Run run)
            throws JMSException, IOException, InterruptedException, BenchException {
        int queues = run.size().of(QUEUES);
        int messages = queues * PER_QUEUE;
        BrokerProcess broker = run.broker();
        Queue[] all = new Queue[queues];
        for (int i = 0; i < queues; i++) {
            all[i] = new MetaQQueue("scale." + i);
        }
        long emptyHeap = broker.liveHeapBytes();
        try (Connection connection = run.factory().createConnection()) {
            Producers.Rates sent =
                    Producers.send(
                            run,
                            connection,
                            new Producers.Load(messages, LENGTH, 100),
                            i -> all[i % queues]);
            run.measure("sends", sent.perSecond(), "/s");
        }
        long sentHeap = broker.liveHeapBytes();
        run.atMost(
                8192,
                "broker heap per queue with messages",
                (double) (sentHeap - emptyHeap) / queues,
                "B");
        broker.stop();
        long stoppedNs = System.nanoTime();
        broker.startAgain();
        run.timeAtMost(3, "restart", Run.secondsSince(stoppedNs));
        consume(run, all, messages);
        run.peakMemory(400, 600);
    }

    private static void consume(Run run, Queue[] queues, int messages)
            throws JMSException, IOException, InterruptedException, BenchException {
        CountDownLatch missing = new CountDownLatch(messages);
        long brokerHeap = run.broker().liveHeapBytes();
        long clientHeap = Run.clientHeapBytes();
        try (Connection connection = run.factory().createConnection()) {
            long startNs = System.nanoTime();
            Session session = null;
            for (int i = 0; i < queues.length; i++) {
                if (session == null || i % CONSUMERS_PER_SESSION == 0) {
                    session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                }
                session.createConsumer(queues[i])
                        .setMessageListener(message -> missing.countDown());
                run.progress("consumers", i + 1, queues.length);
            }
            run.measure("consumers opened", Run.rate(queues.length, startNs), "/s");
            long receivingNs = System.nanoTime();
            connection.start();
            if (!missing.await(ALL_MAX_S, TimeUnit.SECONDS)) {
                throw new BenchException(missing.getCount() + " messages were not delivered");
            }
            run.measure("deliveries", Run.rate(messages, receivingNs), "/s");
            run.atMost(
                    8192,
                    "broker heap per consumer",
                    (double) (run.broker().liveHeapBytes() - brokerHeap) / queues.length,
                    "B");
            run.atMost(
                    8192,
                    "client heap per consumer",
                    (double) (Run.clientHeapBytes() - clientHeap) / queues.length,
                    "B");
            run.idle(5);
            long closingNs = System.nanoTime();
            connection.close();
            run.measure("close of all", Run.secondsSince(closingNs), "s");
        }
    }
}
