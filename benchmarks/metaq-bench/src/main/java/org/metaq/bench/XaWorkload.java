package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XASession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Global transactions that each receive a message from a queue and send one to it. Afterwards the
 * queue must hold what it held before. Latency is that of the transaction, from its begin to the
 * answer to its commit.
 *
 * @param threads each with a connection of its own
 * @param manager who makes the transactions
 */
record XaWorkload(String name, String description, int threads, Manager manager)
        implements Workload {
    /** Messages in the queue for each thread. */
    private static final int MESSAGES_PER_THREAD = 100;

    /** Makes transactions around some work. */
    interface Manager {
        /** Something that one thread uses for all its transactions with one session. */
        Branches open(XASession session, Context context) throws Exception;
    }

    /** Transactions of one thread. */
    interface Branches {
        /** Runs the work in a transaction of its own, and commits it in two phases. */
        void run(Work work) throws Exception;
    }

    /** What is done in a transaction. */
    interface Work {
        /** Does it. */
        void run() throws JMSException;
    }

    @Override
    public List<String> rows() {
        return List.of(name);
    }

    @Override
    public List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException, JMSException {
        XAConnectionFactory factory = context.xaFactory();
        if (factory == null) {
            throw new BenchException("the provider has no XAConnectionFactory");
        }
        Crew crew = new Crew();
        Latency latency = new Latency();
        List<Member> members = new ArrayList<>();
        CountDownLatch open = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            members.add(
                    crew.add(
                            "branches-" + i,
                            self -> work(self, factory, context, crew, open, latency)));
        }
        crew.start();
        // With the consumers there, each gets its share of the messages.
        crew.awaitCount(() -> threads - open.getCount(), threads);
        fill(context);
        Map<Metric, Double> values =
                crew.measure(
                        context, () -> members.stream().mapToLong(Member::count).sum(), latency);
        crew.stop();
        crew.awaitEnd();
        Ledger ledger = new Ledger(1);
        empty(context, ledger);
        values.putAll(Ledger.balance(new int[] {filling()}, List.of(ledger)).values());
        return List.of(new Measurement(name, values));
    }

    private void work(
            Member self,
            XAConnectionFactory factory,
            Context context,
            Crew crew,
            CountDownLatch open,
            Latency latency)
            throws Exception {
        try (XAConnection connection = factory.createXAConnection()) {
            XASession session = connection.createXASession();
            Queue queue = session.createQueue(queue());
            MessageConsumer consumer = session.createConsumer(queue);
            MessageProducer producer = session.createProducer(queue);
            connection.start();
            Branches branches = manager.open(session, context);
            open.countDown();
            while (crew.isWorking()) {
                long startNs = System.nanoTime();
                branches.run(
                        () -> {
                            Message message = consumer.receive(Flow.SILENCE_MS);
                            if (message == null) {
                                throw new JMSException("no message came to a branch");
                            }
                            producer.send(Payload.copy(session, message));
                        });
                latency.note(System.nanoTime() - startNs);
                self.add(1);
            }
        }
    }

    private int filling() {
        return threads * MESSAGES_PER_THREAD;
    }

    private void fill(Context context) throws JMSException {
        Payload payload = new Payload(0);
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(queue()));
            for (int i = 0; i < filling(); i++) {
                producer.send(payload.next(session));
            }
            session.commit();
        }
    }

    private void empty(Context context, Ledger ledger) throws JMSException {
        try (Connection connection = context.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue()));
            connection.start();
            int left = filling();
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

    private String queue() {
        return "bench." + name;
    }
}
