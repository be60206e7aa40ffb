package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Durable messages to a topic with durable subscribers, each with a connection of its own. Counted
 * are deliveries; latency is that of the send call.
 */
record TopicWorkload(String name, String description, int subscribers) implements Workload {
    /**
     * Held to unsubscribe. Artemis 2.40 deletes a topic with its last subscription, whatever it is
     * configured to; of two that go at once each may take itself for the last, and one then fails
     * as the topic is gone (AMQ229203).
     */
    private static final Object UNSUBSCRIBING = new Object();

    @Override
    public List<String> rows() {
        return List.of(name);
    }

    @Override
    public List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException {
        Crew crew = new Crew();
        Flow flow = new Flow(crew, subscribers);
        Latency latency = new Latency();
        CountDownLatch subscribed = new CountDownLatch(subscribers);
        List<Ledger> ledgers = new ArrayList<>();
        for (int i = 0; i < subscribers; i++) {
            String subscription = name + "-" + i;
            Ledger ledger = new Ledger(1);
            ledgers.add(ledger);
            flow.addConsumer(
                    self -> receive(self, context, flow, subscription, subscribed, ledger));
        }
        flow.addProducer(self -> send(self, context, flow, subscribed, latency));
        crew.start();
        Map<Metric, Double> values = crew.measure(context, flow::received, latency);
        crew.stop();
        crew.awaitEnd();
        values.putAll(
                ledgers.stream()
                        .map(ledger -> Ledger.balance(flow.sentByProducer(), List.of(ledger)))
                        .reduce(Ledger.Balance.EMPTY, Ledger.Balance::plus)
                        .values());
        return List.of(new Measurement(name, values));
    }

    private void send(
            Member self, Context context, Flow flow, CountDownLatch subscribed, Latency latency)
            throws JMSException, InterruptedException {
        Payload payload = new Payload(0);
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(topic(session));
            subscribed.await();
            while (flow.maySend(payload.count())) {
                Message message = payload.next(session);
                long startNs = System.nanoTime();
                producer.send(message);
                latency.note(System.nanoTime() - startNs);
                self.add(1);
            }
        }
    }

    private void receive(
            Member self,
            Context context,
            Flow flow,
            String subscription,
            CountDownLatch subscribed,
            Ledger ledger)
            throws JMSException {
        try (Connection connection = context.factory().createConnection()) {
            connection.setClientID("bench-" + subscription);
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createDurableConsumer(topic(session), subscription);
            connection.start();
            subscribed.countDown();
            flow.receiveAll(self, consumer, message -> Payload.note(message, ledger));
            consumer.close();
            synchronized (UNSUBSCRIBING) {
                session.unsubscribe(subscription);
            }
        }
    }

    private Topic topic(Session session) throws JMSException {
        return session.createTopic("bench." + name);
    }
}
