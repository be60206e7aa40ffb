package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Durable messages to many queues in turn, 100 per commit, until each holds 100; then queue by
 * queue a consumer that takes them in one commit. Not limited in time; warmed up on other queues.
 * Latency is that of the commit.
 */
record ManyQueuesWorkload(String name, String description, int queues) implements Workload {
    private static final int MESSAGES_PER_QUEUE = TransactedWorkload.BATCH_COUNT;

    /** Of the queues, how many more are used before the measured ones. */
    private static final double WARM_SHARE = 0.05;

    @Override
    public List<String> rows() {
        return List.of(name + "in", name + "out");
    }

    @Override
    public List<Measurement> run(Context context) throws JMSException, IOException {
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            connection.start();
            Latency latency = new Latency();
            List<Queue> warm = queues(session, "warm", (int) Math.ceil(queues * WARM_SHARE));
            fill(session, warm, latency);
            drain(session, warm, latency);
            List<Queue> measured = queues(session, "measured", queues);
            latency.restart();
            Window filling = context.window();
            fill(session, measured, latency);
            long count = (long) queues * MESSAGES_PER_QUEUE;
            Map<Metric, Double> in = filling.close(count, latency.take());
            Window draining = context.window();
            Map<Metric, Double> balance = drain(session, measured, latency).values();
            Map<Metric, Double> out = draining.close(count, latency.take());
            in.putAll(balance);
            out.putAll(balance);
            return List.of(new Measurement(rows().get(0), in), new Measurement(rows().get(1), out));
        }
    }

    private List<Queue> queues(Session session, String kind, int count) throws JMSException {
        List<Queue> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(session.createQueue("bench." + name + "." + kind + "." + i));
        }
        return made;
    }

    private static void fill(Session session, List<Queue> queues, Latency latency)
            throws JMSException {
        List<Payload> payloads = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            payloads.add(new Payload(i));
        }
        int open = 0;
        try (MessageProducer producer = session.createProducer(null)) {
            for (int round = 0; round < MESSAGES_PER_QUEUE; round++) {
                for (int i = 0; i < queues.size(); i++) {
                    producer.send(queues.get(i), payloads.get(i).next(session));
                    open++;
                    if (open == TransactedWorkload.BATCH_COUNT) {
                        commit(session, latency);
                        open = 0;
                    }
                }
            }
        }
        commit(session, latency);
    }

    private static Ledger.Balance drain(Session session, List<Queue> queues, Latency latency)
            throws JMSException {
        Ledger ledger = new Ledger(queues.size());
        int[] sent = new int[queues.size()];
        for (int i = 0; i < queues.size(); i++) {
            sent[i] = MESSAGES_PER_QUEUE;
            try (MessageConsumer consumer = session.createConsumer(queues.get(i))) {
                for (int taken = 0; taken < MESSAGES_PER_QUEUE; taken++) {
                    Message message = consumer.receive(Flow.SILENCE_MS);
                    if (message == null) {
                        break;
                    }
                    Payload.note(message, ledger);
                }
                commit(session, latency);
            }
        }
        return Ledger.balance(sent, List.of(ledger));
    }

    private static void commit(Session session, Latency latency) throws JMSException {
        long startNs = System.nanoTime();
        session.commit();
        latency.note(System.nanoTime() - startNs);
    }
}
