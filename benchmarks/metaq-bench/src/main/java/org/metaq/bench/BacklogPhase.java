package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One half of the workload with a large backlog: a queue is filled, or drained, 100 durable
 * messages per commit. The broker is restarted in between, so each is run by a client of its own
 * ({@link BacklogRound}). Latency is that of the commit.
 *
 * @param isFilling false to drain
 */
record BacklogPhase(String name, String description, boolean isFilling) implements Workload {
    private static final String QUEUE = "bench.backlog";

    /** How long the first message may take to come. */
    private static final long FIRST_TIMEOUT_MS = 120_000;

    /** The phase that fills. */
    static final BacklogPhase FILL = new BacklogPhase("W9in", "fills a queue", true);

    /** The phase that drains. */
    static final BacklogPhase DRAIN = new BacklogPhase("W9out", "drains it", false);

    @Override
    public List<String> rows() {
        return List.of(name);
    }

    @Override
    public List<Measurement> run(Context context) throws JMSException, IOException {
        Map<Metric, Double> values = isFilling ? fill(context) : drain(context);
        return List.of(new Measurement(name, values));
    }

    private static Map<Metric, Double> fill(Context context) throws JMSException, IOException {
        int count = context.backlogCount();
        Payload payload = new Payload(0);
        Latency latency = new Latency();
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            Window window = context.window();
            Tenths tenths = new Tenths(count);
            while (payload.count() < count) {
                for (int i = 0; i < TransactedWorkload.BATCH_COUNT; i++) {
                    producer.send(payload.next(session));
                }
                commit(session, latency);
                tenths.passed(payload.count());
            }
            Map<Metric, Double> values = window.close(payload.count(), latency.take());
            values.putAll(tenths.rates());
            values.putAll(new Ledger.Balance(payload.count(), 0, 0).values());
            return values;
        }
    }

    private static Map<Metric, Double> drain(Context context) throws JMSException, IOException {
        int count = context.backlogCount();
        Ledger ledger = new Ledger(1);
        Latency latency = new Latency();
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
            connection.start();
            Message message = consumer.receive(FIRST_TIMEOUT_MS);
            double firstAtMs = System.currentTimeMillis();
            Window window = context.window();
            Tenths tenths = new Tenths(count);
            int received = 0;
            while (message != null) {
                Payload.note(message, ledger);
                received++;
                if (received % TransactedWorkload.BATCH_COUNT == 0) {
                    commit(session, latency);
                    tenths.passed(received);
                }
                if (received == count) {
                    break;
                }
                message = consumer.receive(Flow.SILENCE_MS);
            }
            Map<Metric, Double> values = window.close(received, latency.take());
            values.putAll(tenths.rates());
            // Nothing more may come.
            for (message = consumer.receive(Flow.RECEIVE_TIMEOUT_MS);
                    message != null;
                    message = consumer.receive(Flow.RECEIVE_TIMEOUT_MS)) {
                Payload.note(message, ledger);
            }
            session.commit();
            values.put(Metric.FIRST_MESSAGE_AT_MS, firstAtMs);
            values.putAll(Ledger.balance(new int[] {count}, List.of(ledger)).values());
            return values;
        }
    }

    private static void commit(Session session, Latency latency) throws JMSException {
        long startNs = System.nanoTime();
        session.commit();
        latency.note(System.nanoTime() - startNs);
    }
}
