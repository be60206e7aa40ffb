package org.metaq.scale;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.metaq.bench.BenchException;
import org.metaq.jms.destination.MetaQQueue;

/** Many sessions on few connections. */
final class ManySessions {
    private static final int CONNECTIONS = 10;
    private static final int PER_CONNECTION = 2_000;

    private ManySessions() {}

    static void run(Run run)
            throws JMSException, IOException, InterruptedException, BenchException {
        int perConnection = run.size().of(PER_CONNECTION);
        int count = CONNECTIONS * perConnection;
        List<Connection> connections = new ArrayList<>();
        List<MessageProducer> producers = new ArrayList<>(count);
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(run.factory().createConnection());
            }
            long brokerHeap = run.broker().liveHeapBytes();
            long clientHeap = Run.clientHeapBytes();
            long openingNs = System.nanoTime();
            for (int i = 1; i <= count; i++) {
                Session session =
                        connections
                                .get(i % CONNECTIONS)
                                .createSession(false, Session.AUTO_ACKNOWLEDGE);
                producers.add(session.createProducer(new MetaQQueue("scale")));
                run.progress("sessions", i, count);
            }
            run.measure("sessions opened", Run.rate(count, openingNs), "/s");
            try (Session session = connections.get(0).createSession()) {
                long sendingNs = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    producers.get(i).send(session.createTextMessage("one of each"));
                    run.progress("sends", i + 1, count);
                }
                run.measure("sends, one of each", Run.rate(count, sendingNs), "/s");
            }
            run.atMost(
                    1024,
                    "broker heap per session",
                    (double) (run.broker().liveHeapBytes() - brokerHeap) / count,
                    "B");
            run.atMost(
                    8192,
                    "client heap per session",
                    (double) (Run.clientHeapBytes() - clientHeap) / count,
                    "B");
            run.idle(2);
            run.peakMemory(400, 600);
        } finally {
            long closingNs = System.nanoTime();
            for (Connection connection : connections) {
                connection.close();
            }
            run.measure("close of all", Run.secondsSince(closingNs), "s");
        }
    }
}
