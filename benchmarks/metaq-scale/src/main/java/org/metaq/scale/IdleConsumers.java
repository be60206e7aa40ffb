package org.metaq.scale;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.metaq.jms.destination.MetaQQueue;

/** Consumers for which nothing comes. */
final class IdleConsumers {
    private static final int CONNECTIONS = 10;
    private static final int SESSIONS = 10;
    private static final int PER_SESSION = 10;

    private IdleConsumers() {}

    static void run(Run run) throws JMSException, IOException, InterruptedException {
        int perSession = run.size().of(PER_SESSION);
        int count = CONNECTIONS * SESSIONS * perSession;
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = run.factory().createConnection();
                connections.add(connection);
                connection.start();
                for (int j = 0; j < SESSIONS; j++) {
                    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                    for (int k = 0; k < perSession; k++) {
                        session.createConsumer(new MetaQQueue("scale." + i + "." + j + "." + k))
                                .setMessageListener(
                                        message -> {
                                            throw new IllegalStateException("nobody sends");
                                        });
                    }
                }
                run.progress("consumers", (long) (i + 1) * SESSIONS * perSession, count);
            }
            run.idle(2);
            run.peakMemory(400, 600);
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }
}
