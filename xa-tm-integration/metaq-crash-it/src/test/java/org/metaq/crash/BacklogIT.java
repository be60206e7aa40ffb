package org.metaq.crash;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerProcess;

/** Messages that nobody has taken yet, many more than the heap holds. */
@Timeout(900)
class BacklogIT {
    private static final int COUNT = Scale.of(100_000, 1_000_000);
    private static final int BODY_LENGTH = 1024;
    private static final int BATCH = 1000;
    private static final Duration RESTART_MAX = Duration.ofSeconds(10);
    private static final Duration FIRST_MAX = Duration.ofSeconds(2);
    private static final String QUEUE = "backlog";

    @TempDir Path directory;

    @Test
    void shouldRestartSoonAndDeliverAtOnceWithABacklogLargerThanTheHeap() throws Exception {
        try (BrokerProcess broker = start()) {
            fill(broker.port());
            broker.kill9();
        }
        long startNs = System.nanoTime();
        try (BrokerProcess broker = start()) {
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(RESTART_MAX);
            try (Connection connection = connect(broker.port())) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                connection.start();
                long receiveNs = System.nanoTime();
                MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
                Message first = consumer.receive(FIRST_MAX.toMillis());
                assertThat(first).isNotNull();
                assertThat(first.getIntProperty("number")).isZero();
                assertThat(Duration.ofNanos(System.nanoTime() - receiveNs)).isLessThan(FIRST_MAX);
            }
        }
    }

    private BrokerProcess start() throws Exception {
        return BrokerProcess.on(directory.resolve("data")).jvmOptions("-Xmx256m").start();
    }

    private static Connection connect(int port) throws Exception {
        return new MetaQConnectionFactory("metaq://127.0.0.1:" + port).createConnection();
    }

    private static void fill(int port) throws Exception {
        byte[] body = new byte[BODY_LENGTH];
        try (Connection connection = connect(port)) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            for (int i = 0; i < COUNT; i++) {
                BytesMessage message = session.createBytesMessage();
                message.setIntProperty("number", i);
                message.writeBytes(body);
                producer.send(message);
                if ((i + 1) % BATCH == 0) {
                    session.commit();
                }
            }
            session.commit();
        }
    }
}
