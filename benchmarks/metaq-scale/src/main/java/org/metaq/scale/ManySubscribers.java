package org.metaq.scale;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.metaq.bench.BenchException;
import org.metaq.bench.Usage;
import org.metaq.jms.destination.MetaQTopic;

/** One topic with many durable subscriptions, first without and then with their consumers. */
final class ManySubscribers {
    private static final int SUBSCRIBERS = 100;
    private static final int SUBSCRIBERS_MIN = 10;
    private static final int SENDS = 10_000;
    private static final int LENGTH = 1024;
    private static final int PER_COMMIT = 100;
    private static final long ALL_MAX_S = 120;

    private ManySubscribers() {}

    static void run(Run run)
            throws JMSException, IOException, InterruptedException, BenchException {
        int subscribers = Math.max(SUBSCRIBERS_MIN, run.size().of(SUBSCRIBERS));
        int sends = run.size().of(SENDS);
        Topic topic = new MetaQTopic("scale");
        try (Connection connection = run.factory().createConnection()) {
            connection.start();
            subscribe(connection, topic, 1);
            double alone = writtenPerSend(run, connection, topic, sends);
            run.measure("bytes written per send, 1 subscription", alone, "B");
            long heap = run.broker().liveHeapBytes();
            subscribe(connection, topic, subscribers);
            double many = writtenPerSend(run, connection, topic, sends);
            run.measure("bytes written per send, all subscriptions", many, "B");
            run.atMost(1.2, "the same, by that of 1 subscription", many / alone, "");
            run.atMost(
                    65_536,
                    "broker heap per subscription with a backlog",
                    (double) (run.broker().liveHeapBytes() - heap) / subscribers,
                    "B");
            deliver(run, connection, topic, subscribers, sends);
        }
        run.peakMemory(400, 600);
    }

    /** Makes the first subscriptions, and leaves them without a consumer. */
    private static void subscribe(Connection connection, Topic topic, int count)
            throws JMSException {
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            for (int i = 0; i < count; i++) {
                session.createSharedDurableConsumer(topic, name(i)).close();
            }
        }
    }

    private static double writtenPerSend(Run run, Connection connection, Topic topic, int sends)
            throws JMSException, IOException {
        long before = Usage.writtenBytes(run.broker().pid());
        send(run, connection, topic, sends);
        return (double) (Usage.writtenBytes(run.broker().pid()) - before) / sends;
    }

    private static Producers.Rates send(Run run, Connection connection, Topic topic, int sends)
            throws JMSException {
        return Producers.send(
                run, connection, new Producers.Load(sends, LENGTH, PER_COMMIT), i -> topic);
    }

    /** The first subscription has a backlog from two phases, the others from one. */
    private static void deliver(
            Run run, Connection connection, Topic topic, int subscribers, int sends)
            throws JMSException, InterruptedException, BenchException, IOException {
        int backlog = (subscribers + 1) * sends;
        int live = subscribers * sends;
        CountDownLatch drained = new CountDownLatch(backlog);
        CountDownLatch delivered = new CountDownLatch(backlog + live);
        long drainNs = System.nanoTime();
        for (int i = 0; i < subscribers; i++) {
            connection
                    .createSession(false, Session.AUTO_ACKNOWLEDGE)
                    .createSharedDurableConsumer(topic, name(i))
                    .setMessageListener(
                            message -> {
                                drained.countDown();
                                delivered.countDown();
                            });
        }
        await(run, "drained", drained, backlog);
        run.measure("deliveries of a backlog", Run.rate(backlog, drainNs), "/s");
        long liveNs = System.nanoTime();
        long before = Usage.writtenBytes(run.broker().pid());
        send(run, connection, topic, sends);
        await(run, "delivered", delivered, live);
        run.rateAtLeast(20_000, "deliveries, live", Run.rate(live, liveNs), "/s");
        run.measure(
                "bytes written per live delivery, sockets included",
                (double) (Usage.writtenBytes(run.broker().pid()) - before) / live,
                "B");
    }

    private static void await(Run run, String what, CountDownLatch missing, int count)
            throws InterruptedException, BenchException {
        for (long second = 0; !missing.await(1, TimeUnit.SECONDS); second++) {
            if (second == ALL_MAX_S) {
                throw new BenchException(missing.getCount() + " messages were not delivered");
            }
            run.progress(what, Math.max(0, count - missing.getCount()), count);
        }
    }

    private static String name(int i) {
        return "subscription-" + i;
    }
}
