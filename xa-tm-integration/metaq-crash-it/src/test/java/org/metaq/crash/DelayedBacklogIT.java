package org.metaq.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerProcess;

/**
 * Delayed messages, many more than the heap holds, under a broker that is killed while they wait
 * and again while they fall due (B58).
 */
@Timeout(1800)
class DelayedBacklogIT {
    private static final int COUNT = Scale.of(40_000, 1_000_000);
    private static final int BATCH = 1000;

    /** When the first ones fall due: enough to send them all before. */
    private static final long DELAY_MS = Scale.of(20_000, 240_000);

    /** The others follow in this time. */
    private static final int SPREAD_MS = 3_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String QUEUE = "delayed";

    @TempDir Path directory;

    @Test
    void shouldDeliverEachOnceAndNoneBeforeItsTime() throws Exception {
        long firstMs = System.currentTimeMillis() + DELAY_MS;
        boolean isFilledInTime;
        try (BrokerProcess broker = start()) {
            fill(broker.port(), firstMs);
            isFilledInTime = System.currentTimeMillis() < firstMs;
            broker.kill9();
        }
        try (BrokerProcess broker = start()) {
            awaitTime(firstMs + SPREAD_MS / 2);
            broker.kill9();
        }
        try (BrokerProcess broker = start()) {
            drain(broker.port(), isFilledInTime);
        }
    }

    /** A heap that a million messages would not fit in. */
    private BrokerProcess start() throws Exception {
        return BrokerProcess.on(directory.resolve("data")).jvmOptions("-Xmx128m").start();
    }

    private static Connection connect(int port) throws Exception {
        return new MetaQConnectionFactory("metaq://127.0.0.1:" + port).createConnection();
    }

    private static void awaitTime(long timeMs) {
        await().atMost(Duration.ofMillis(2 * DELAY_MS))
                .until(() -> System.currentTimeMillis() >= timeMs);
    }

    /** Half of them fall due at one moment, the others at random. */
    private static void fill(int port, long firstMs) throws Exception {
        Random random = new Random(1);
        try (Connection connection = connect(port)) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            for (int i = 0; i < COUNT; i++) {
                long dueMs = firstMs + (i % 2 == 0 ? 0 : random.nextInt(SPREAD_MS));
                producer.setDeliveryDelay(Math.max(0, dueMs - System.currentTimeMillis()));
                Message message = session.createMessage();
                message.setIntProperty("number", i);
                producer.send(message);
                if ((i + 1) % BATCH == 0) {
                    session.commit();
                }
            }
            session.commit();
        }
    }

    private static void drain(int port, boolean isOrdered) throws Exception {
        BitSet received = new BitSet(COUNT);
        long lastDueMs = 0;
        try (Connection connection = connect(port)) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
            for (int i = 0; i < COUNT; i++) {
                Message message = consumer.receive(PATIENCE.toMillis());
                assertThat(message).as("message %s of %s", i, COUNT).isNotNull();
                int number = message.getIntProperty("number");
                assertThat(received.get(number)).as("%s twice", number).isFalse();
                received.set(number);
                long dueMs = message.getJMSDeliveryTime();
                assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(dueMs);
                if (isOrdered) {
                    assertThat(dueMs).as("in order").isGreaterThanOrEqualTo(lastDueMs);
                    lastDueMs = dueMs;
                }
                if ((i + 1) % BATCH == 0) {
                    session.commit();
                }
            }
            session.commit();
            assertThat(consumer.receiveNoWait()).isNull();
        }
        assertThat(received.cardinality()).isEqualTo(COUNT);
    }
}
