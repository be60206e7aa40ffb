package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Non-persistent requests to a queue, each answered to the temporary queue of the requester before
 * it makes the next one. Latency is that of the round trip.
 *
 * @param pairs number of requesters, and of responders; each with a connection of its own
 */
record RequestReplyWorkload(String name, String description, int pairs) implements Workload {
    @Override
    public List<String> rows() {
        return List.of(name);
    }

    @Override
    public List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException {
        Crew crew = new Crew();
        Latency latency = new Latency();
        // Responders end after the last requester.
        CountDownLatch requesters = new CountDownLatch(pairs);
        List<Member> members = new ArrayList<>();
        List<Ledger> ledgers = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            int index = i;
            crew.add("responder-" + i, self -> respond(self, context, requesters));
            Ledger ledger = new Ledger(pairs);
            ledgers.add(ledger);
            members.add(
                    crew.add(
                            "requester-" + i,
                            self -> {
                                try {
                                    request(self, context, crew, index, ledger, latency);
                                } finally {
                                    requesters.countDown();
                                }
                            }));
        }
        crew.start();
        Map<Metric, Double> values =
                crew.measure(
                        context, () -> members.stream().mapToLong(Member::count).sum(), latency);
        crew.stop();
        crew.awaitEnd();
        int[] sent = members.stream().mapToInt(member -> (int) member.count()).toArray();
        values.putAll(Ledger.balance(sent, ledgers).values());
        return List.of(new Measurement(name, values));
    }

    private void request(
            Member self, Context context, Crew crew, int index, Ledger ledger, Latency latency)
            throws JMSException {
        Payload payload = new Payload(index);
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            TemporaryQueue replies = session.createTemporaryQueue();
            MessageConsumer consumer = session.createConsumer(replies);
            MessageProducer producer = session.createProducer(session.createQueue(queue()));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            connection.start();
            while (crew.isWorking()) {
                String id = Integer.toString(payload.count());
                Message request = payload.next(session);
                request.setJMSReplyTo(replies);
                request.setJMSCorrelationID(id);
                long startNs = System.nanoTime();
                producer.send(request);
                Message reply = consumer.receive(Flow.SILENCE_MS);
                latency.note(System.nanoTime() - startNs);
                if (reply == null || !id.equals(reply.getJMSCorrelationID())) {
                    throw new JMSException("the reply to request " + id + " is " + reply);
                }
                Payload.note(reply, ledger);
                self.add(1);
            }
            consumer.close();
            replies.delete();
        }
    }

    private void respond(Member self, Context context, CountDownLatch requesters)
            throws JMSException {
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue()));
            MessageProducer producer = session.createProducer(null);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            connection.start();
            while (requesters.getCount() > 0) {
                Message request = consumer.receive(Flow.RECEIVE_TIMEOUT_MS);
                if (request != null) {
                    Message reply = Payload.copy(session, request);
                    reply.setJMSCorrelationID(request.getJMSCorrelationID());
                    producer.send(request.getJMSReplyTo(), reply);
                    self.add(1);
                }
            }
        }
    }

    private String queue() {
        return "bench." + name;
    }
}
