package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A consumer with a selector that one of 100 messages of a queue matches, which holds 50,000. It is
 * done several times, and the one with the median rate counts. Latency is that of a receive.
 *
 * @param backlogCount messages in the queue
 * @param repetitions measured ones, after one to warm up; odd
 */
record SelectorBacklogWorkload(String name, String description, int backlogCount, int repetitions)
        implements Workload {
    /** Property by which messages are selected: its values go from 0 to {@link #KINDS} - 1. */
    static final String KIND = "k";

    /** Number of values of the property. */
    static final int KINDS = 100;

    /** The value that is selected. */
    static final int SELECTED_KIND = 50;

    /** The selector. */
    static final String SELECTOR = KIND + " = " + SELECTED_KIND;

    @Override
    public List<String> rows() {
        return List.of(name);
    }

    @Override
    public List<Measurement> run(Context context) throws JMSException, IOException, BenchException {
        List<Measurement> all = new ArrayList<>();
        Ledger.Balance balance = Ledger.Balance.EMPTY;
        try (Connection connection = context.factory().createConnection()) {
            connection.start();
            for (int i = 0; i <= repetitions; i++) {
                Ledger ledger = new Ledger(1);
                fill(connection);
                all.add(select(connection, context, ledger));
                empty(connection, ledger);
                balance = balance.plus(Ledger.balance(new int[] {backlogCount}, List.of(ledger)));
            }
        }
        Measurement median =
                all.stream()
                        .skip(1)
                        .sorted(Comparator.comparingDouble(m -> m.value(Metric.RATE)))
                        .toList()
                        .get(repetitions / 2);
        return List.of(median.with(balance.values()));
    }

    private void fill(Connection connection) throws JMSException {
        Payload payload = new Payload(0);
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(queue(session));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            while (payload.count() < backlogCount) {
                for (int i = 0; i < TransactedWorkload.BATCH_COUNT; i++) {
                    int kind = payload.count() % KINDS;
                    Message message = payload.next(session);
                    message.setIntProperty(KIND, kind);
                    producer.send(message);
                }
                session.commit();
            }
        }
    }

    private Measurement select(Connection connection, Context context, Ledger ledger)
            throws JMSException, IOException, BenchException {
        int matches = backlogCount / KINDS;
        Latency latency = new Latency();
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Window window = context.window();
            MessageConsumer consumer = session.createConsumer(queue(session), SELECTOR);
            for (int i = 0; i < matches; i++) {
                long startNs = System.nanoTime();
                Message message = consumer.receive(Flow.SILENCE_MS);
                latency.note(System.nanoTime() - startNs);
                if (message == null) {
                    throw new BenchException("only " + i + " of " + matches + " matches came");
                }
                Payload.note(message, ledger);
            }
            Map<Metric, Double> values = window.close(matches, latency.take());
            return new Measurement(name, values);
        }
    }

    /** Takes the rest, and all there is more. */
    private void empty(Connection connection, Ledger ledger) throws JMSException {
        int left = backlogCount - backlogCount / KINDS;
        try (Session session = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(queue(session));
            while (true) {
                Message message =
                        consumer.receive(left > 0 ? Flow.SILENCE_MS : Flow.RECEIVE_TIMEOUT_MS);
                if (message == null) {
                    return;
                }
                Payload.note(message, ledger);
                left--;
            }
        }
    }

    private Queue queue(Session session) throws JMSException {
        return session.createQueue("bench." + name);
    }
}
