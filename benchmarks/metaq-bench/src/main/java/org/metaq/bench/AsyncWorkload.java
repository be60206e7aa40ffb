package org.metaq.bench;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Durable messages through one queue; up to 1,000 sends are under way while their completions are
 * awaited. Latency is from the call to the completion.
 */
record AsyncWorkload(String name, String description) implements Workload {
    private static final int UNCONFIRMED_MAX_COUNT = 1000;

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
        Ledger ledger = new Ledger(1);
        flow.addProducer(self -> send(self, context, flow, latency));
        flow.addConsumer(self -> receive(self, context, flow, ledger));
        crew.start();
        Map<Metric, Double> values = crew.measure(context, flow::passed, latency);
        crew.stop();
        crew.awaitEnd();
        values.putAll(Ledger.balance(flow.sentByProducer(), List.of(ledger)).values());
        return List.of(new Measurement(name, values));
    }

    private void send(Member self, Context context, Flow flow, Latency latency)
            throws JMSException {
        Semaphore permits = new Semaphore(UNCONFIRMED_MAX_COUNT);
        AtomicReference<@Nullable Exception> refused = new AtomicReference<>();
        Payload payload = new Payload(0);
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(queue()));
            AsyncSend send = AsyncSend.of(producer);
            while (flow.maySend(payload.count()) && refused.get() == null) {
                Message message = payload.next(session);
                permits.acquireUninterruptibly();
                send.send(message, new Confirmation(permits, refused, latency));
                self.add(1);
            }
            permits.acquireUninterruptibly(UNCONFIRMED_MAX_COUNT);
        }
        Exception first = refused.get();
        if (first != null) {
            throw new IllegalStateException("a send was refused", first);
        }
    }

    private void receive(Member self, Context context, Flow flow, Ledger ledger)
            throws JMSException {
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue()));
            connection.start();
            flow.receiveAll(self, consumer, message -> Payload.note(message, ledger));
        }
    }

    private String queue() {
        return "bench." + name;
    }

    /** Of one message. */
    private static final class Confirmation implements CompletionListener {
        private final Semaphore permits;
        private final AtomicReference<@Nullable Exception> refused;
        private final Latency latency;
        private final long startNs = System.nanoTime();

        private Confirmation(
                Semaphore permits, AtomicReference<@Nullable Exception> refused, Latency latency) {
            this.permits = permits;
            this.refused = refused;
            this.latency = latency;
        }

        @Override
        public void onCompletion(Message message) {
            latency.note(System.nanoTime() - startNs);
            permits.release();
        }

        @Override
        public void onException(Message message, Exception exception) {
            refused.compareAndSet(null, exception);
            permits.release();
        }
    }
}
