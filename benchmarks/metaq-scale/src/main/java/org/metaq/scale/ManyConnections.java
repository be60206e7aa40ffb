package org.metaq.scale;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.metaq.bench.BenchException;
import org.metaq.bench.Usage;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;

/** Many connections at once. */
final class ManyConnections {
    private static final int CONNECTIONS = 2_000;

    private ManyConnections() {}

    static void run(Run run)
            throws JMSException, IOException, InterruptedException, BenchException {
        int count = run.size().of(CONNECTIONS);
        MetaQConnectionFactory factory = run.factory();
        long brokerHeap = run.broker().liveHeapBytes();
        long brokerRss = Usage.rssBytes(run.broker().pid());
        long clientHeap = Run.clientHeapBytes();
        long clientRss = Run.clientRssBytes();
        List<Connection> connections = new ArrayList<>();
        List<MessageProducer> producers = new ArrayList<>();
        try {
            long openingNs = System.nanoTime();
            for (int i = 1; i <= count; i++) {
                Connection connection = factory.createConnection();
                connections.add(connection);
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                producers.add(session.createProducer(new MetaQQueue("scale")));
                run.progress("connections", i, count);
            }
            run.measure("connections opened", Run.rate(count, openingNs), "/s");
            try (Session session = connections.get(0).createSession()) {
                long sendingNs = System.nanoTime();
                for (MessageProducer producer : producers) {
                    producer.send(session.createTextMessage("one of each"));
                }
                run.measure("sends, one of each", Run.rate(count, sendingNs), "/s");
            }
            perConnection(16_384, run, "broker heap", brokerHeap, run.broker().liveHeapBytes());
            perConnection(65_536, run, "broker RSS", brokerRss, Usage.rssBytes(run.broker().pid()));
            perConnection(16_384, run, "client heap", clientHeap, Run.clientHeapBytes());
            perConnection(131_072, run, "client RSS", clientRss, Run.clientRssBytes());
            run.idle(5);
            run.peakMemory(400, 600);
        } finally {
            long closingNs = System.nanoTime();
            for (Connection connection : connections) {
                connection.close();
            }
            run.measure("connections closed", Run.rate(connections.size(), closingNs), "/s");
        }
    }

    private static void perConnection(double limit, Run run, String name, long before, long after) {
        double each = (double) (after - before) / run.size().of(CONNECTIONS);
        run.atMost(limit, name + " per connection", each, "B");
    }
}
