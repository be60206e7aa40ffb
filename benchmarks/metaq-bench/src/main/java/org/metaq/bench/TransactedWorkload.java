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
 * Durable messages in local transactions of 100: first all is sent, then all is received. Latency
 * is that of the commit.
 */
record TransactedWorkload(String name, String description) implements Workload {
    /** Messages of a transaction. */
    static final int BATCH_COUNT = 100;

    /** Of the backlog: what is received before the measured time, and at its end. */
    private static final double WARM_SHARE = 0.3;

    private static final double END_SHARE = 0.95;

    @Override
    public List<String> rows() {
        return List.of(name + "p", name + "c");
    }

    @Override
    public List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException {
        Latency latency = new Latency();
        Crew senders = new Crew();
        Member sender = senders.add("producer", self -> send(self, context, senders, latency));
        senders.start();
        Map<Metric, Double> sends = senders.measure(context, sender::count, latency);
        senders.stop();
        senders.awaitEnd();

        long sent = sender.count();
        Ledger ledger = new Ledger(1);
        Crew receivers = new Crew();
        Member receiver =
                receivers.add("consumer", self -> receive(self, context, sent, ledger, latency));
        receivers.start();
        receivers.awaitCount(receiver::count, (long) (sent * WARM_SHARE));
        long before = receiver.count();
        latency.restart();
        Window window = context.window();
        receivers.awaitCount(receiver::count, (long) (sent * END_SHARE));
        Map<Metric, Double> receives = window.close(receiver.count() - before, latency.take());
        receivers.awaitEnd();

        Map<Metric, Double> balance =
                Ledger.balance(new int[] {(int) sent}, List.of(ledger)).values();
        sends.putAll(balance);
        receives.putAll(balance);
        return List.of(
                new Measurement(rows().get(0), sends), new Measurement(rows().get(1), receives));
    }

    private void send(Member self, Context context, Crew crew, Latency latency)
            throws JMSException {
        Payload payload = new Payload(0);
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(queue()));
            while (crew.isWorking()) {
                for (int i = 0; i < BATCH_COUNT; i++) {
                    producer.send(payload.next(session));
                }
                long startNs = System.nanoTime();
                session.commit();
                latency.note(System.nanoTime() - startNs);
                self.add(BATCH_COUNT);
            }
        }
    }

    /** Receives until that many have come, and until one receive finds nothing. */
    private void receive(Member self, Context context, long sent, Ledger ledger, Latency latency)
            throws JMSException {
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue()));
            connection.start();
            while (true) {
                int batch = receiveBatch(consumer, ledger, self.count() >= sent);
                if (batch == 0) {
                    return;
                }
                long startNs = System.nanoTime();
                session.commit();
                latency.note(System.nanoTime() - startNs);
                self.add(batch);
            }
        }
    }

    private static int receiveBatch(MessageConsumer consumer, Ledger ledger, boolean isAllThere)
            throws JMSException {
        int batch = 0;
        while (batch < BATCH_COUNT) {
            Message message =
                    consumer.receive(isAllThere ? Flow.RECEIVE_TIMEOUT_MS : Flow.SILENCE_MS);
            if (message == null) {
                break;
            }
            Payload.note(message, ledger);
            batch++;
        }
        return batch;
    }

    private String queue() {
        return "bench." + name;
    }
}
