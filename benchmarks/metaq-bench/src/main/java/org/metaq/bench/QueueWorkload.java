package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Messages through one queue, sent and received at the same time, each client with a connection of
 * its own. Latency is that of the send call, or of a message's whole way.
 *
 * @param pairs number of producers, and of consumers
 * @param deliveryMode one of {@link DeliveryMode}
 * @param isEndToEnd true to measure from the send to the receipt
 */
record QueueWorkload(
        String name, String description, int pairs, int deliveryMode, boolean isEndToEnd)
        implements Workload {
    @Override
    public List<String> rows() {
        return List.of(name);
    }

    @Override
    public List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException {
        Crew crew = new Crew();
        Flow flow = new Flow(crew, 1);
        Latency latency = new Latency();
        List<Ledger> ledgers = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            Payload payload = new Payload(i);
            flow.addProducer(self -> send(self, context, flow, payload, latency));
            Ledger ledger = new Ledger(pairs);
            ledgers.add(ledger);
            flow.addConsumer(self -> receive(self, context, flow, ledger, latency));
        }
        crew.start();
        Map<Metric, Double> values = crew.measure(context, flow::passed, latency);
        crew.stop();
        crew.awaitEnd();
        values.putAll(Ledger.balance(flow.sentByProducer(), ledgers).values());
        return List.of(new Measurement(name, values));
    }

    private void send(Member self, Context context, Flow flow, Payload payload, Latency latency)
            throws JMSException {
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(queue()));
            producer.setDeliveryMode(deliveryMode);
            while (flow.maySend(payload.count())) {
                Message message = payload.next(session);
                long startNs = System.nanoTime();
                producer.send(message);
                if (!isEndToEnd) {
                    latency.note(System.nanoTime() - startNs);
                }
                self.add(1);
            }
        }
    }

    private void receive(Member self, Context context, Flow flow, Ledger ledger, Latency latency)
            throws JMSException {
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue()));
            connection.start();
            flow.receiveAll(
                    self,
                    consumer,
                    message -> {
                        if (isEndToEnd) {
                            Payload.header(message).note(ledger, latency);
                        } else {
                            Payload.note(message, ledger);
                        }
                    });
        }
    }

    private String queue() {
        return "bench." + name;
    }
}
