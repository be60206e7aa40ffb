package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Calls that open and close something, one after the other. Latency is that of the calls. */
record LifecycleWorkload(String name, String description, Kind kind) implements Workload {
    /** What is opened and closed. */
    enum Kind {
        /** A session on a started connection. */
        SESSION {
            @Override
            void run(Context context, Loop loop) throws JMSException {
                try (Connection connection = context.factory().createConnection()) {
                    connection.start();
                    loop.repeat(() -> connection.createSession(Session.AUTO_ACKNOWLEDGE).close());
                }
            }
        },
        /** A connection, which is started too. */
        CONNECTION {
            @Override
            void run(Context context, Loop loop) throws JMSException {
                loop.repeat(
                        () -> {
                            try (Connection connection = context.factory().createConnection()) {
                                connection.start();
                            }
                        });
            }
        },
        /** A connection with an open consumer is started and stopped. */
        START_STOP {
            @Override
            void run(Context context, Loop loop) throws JMSException {
                try (Connection connection = context.factory().createConnection()) {
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                    session.createConsumer(session.createQueue("bench.W12"));
                    loop.repeat(
                            () -> {
                                connection.start();
                                connection.stop();
                            });
                }
            }
        };

        abstract void run(Context context, Loop loop) throws JMSException;
    }

    /** Repeats calls until the time is over. */
    private interface Loop {
        void repeat(Calls calls) throws JMSException;
    }

    /** What is repeated. */
    private interface Calls {
        void run() throws JMSException;
    }

    @Override
    public List<String> rows() {
        return List.of(name);
    }

    @Override
    public List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException {
        Crew crew = new Crew();
        Latency latency = new Latency();
        Member member =
                crew.add(
                        "caller",
                        self ->
                                kind.run(
                                        context,
                                        calls -> {
                                            while (crew.isWorking()) {
                                                long startNs = System.nanoTime();
                                                calls.run();
                                                latency.note(System.nanoTime() - startNs);
                                                self.add(1);
                                            }
                                        }));
        crew.start();
        Map<Metric, Double> values =
                crew.measure(context.during(context.times().halved()), member::count, latency);
        crew.stop();
        crew.awaitEnd();
        values.putAll(Ledger.Balance.EMPTY.values());
        return List.of(new Measurement(name, values));
    }
}
