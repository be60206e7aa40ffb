package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Non-persistent messages to a topic with one subscriber, whose selector one of 100 matches.
 * Counted are messages sent; latency is that of a matching message's whole way.
 */
record SelectorLiveWorkload(String name, String description) implements Workload {
    @Override
    public List<String> rows() {
        return List.of(name);
    }

    @Override
    public List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException {
        Crew crew = new Crew();
        Flow flow = new Flow(crew, 1.0 / SelectorBacklogWorkload.KINDS);
        Latency latency = new Latency();
        Ledger ledger = new Ledger(1);
        CountDownLatch subscribed = new CountDownLatch(1);
        flow.addConsumer(self -> receive(self, context, flow, subscribed, ledger, latency));
        flow.addProducer(self -> send(self, context, flow, subscribed));
        crew.start();
        Map<Metric, Double> values = crew.measure(context, flow::sent, latency);
        crew.stop();
        crew.awaitEnd();
        int[] matching = {matching(flow.sentByProducer()[0])};
        values.putAll(Ledger.balance(matching, List.of(ledger)).values());
        return List.of(new Measurement(name, values));
    }

    /** How many of the first messages match. */
    private static int matching(int sent) {
        int kinds = SelectorBacklogWorkload.KINDS;
        return (sent + kinds - 1 - SelectorBacklogWorkload.SELECTED_KIND) / kinds;
    }

    private void send(Member self, Context context, Flow flow, CountDownLatch subscribed)
            throws JMSException, InterruptedException {
        Payload payload = new Payload(0);
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createTopic("bench." + name));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            subscribed.await();
            while (flow.maySend(payload.count())) {
                int kind = payload.count() % SelectorBacklogWorkload.KINDS;
                Message message = payload.next(session);
                message.setIntProperty(SelectorBacklogWorkload.KIND, kind);
                producer.send(message);
                self.add(1);
            }
        }
    }

    private void receive(
            Member self,
            Context context,
            Flow flow,
            CountDownLatch subscribed,
            Ledger ledger,
            Latency latency)
            throws JMSException {
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer =
                    session.createConsumer(
                            session.createTopic("bench." + name), SelectorBacklogWorkload.SELECTOR);
            connection.start();
            subscribed.countDown();
            flow.receiveAll(
                    self,
                    consumer,
                    message -> {
                        Payload.Header header = Payload.header(message);
                        latency.note(System.nanoTime() - header.madeNs());
                        ledger.received(0, header.number() / SelectorBacklogWorkload.KINDS);
                    });
        }
    }
}
