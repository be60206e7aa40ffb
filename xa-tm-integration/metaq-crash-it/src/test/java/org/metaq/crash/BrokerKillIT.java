package org.metaq.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.server.BrokerProcess;

/** A broker that is killed again and again while applications send and receive. */
@Timeout(600)
class BrokerKillIT {
    private static final int KILLS = 50;
    private static final int APPLICATIONS = 2;
    private static final int BATCH = 5;
    private static final int SENT_BETWEEN_KILLS = 20;
    private static final String QUEUE = "killed";

    @TempDir Path directory;

    private final Ledger ledger = new Ledger();

    // Written by the test, read by the producers.
    private volatile boolean isSending = true;

    // Written by the test, read by the consumers.
    private volatile boolean isReceiving = true;

    @Test
    void shouldLoseNothingAcknowledgedAndRepeatNothingCommittedThroughFiftyKills()
            throws Exception {
        BrokerProcess broker = start(0);
        int port = broker.port();
        List<Thread> producers = new ArrayList<>();
        List<Thread> consumers = new ArrayList<>();
        try {
            MetaQConnectionFactory factory =
                    new MetaQConnectionFactory("metaq://127.0.0.1:" + port + "?prefetch=20");
            for (int i = 0; i < APPLICATIONS; i++) {
                String name = "p" + i;
                producers.add(run(name, () -> produce(factory, name)));
                consumers.add(run("c" + i, () -> consume(factory)));
            }
            for (int kill = 0; kill < KILLS; kill++) {
                awaitLoad();
                broker.kill9();
                broker = start(port);
            }
            isSending = false;
            join(producers);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(ledger.missing()).isEmpty());
        } finally {
            isSending = false;
            isReceiving = false;
            join(producers);
            join(consumers);
            broker.close();
        }
        assertThat(ledger.repeated()).isEmpty();
        assertThat(ledger.halves()).isEmpty();
        assertThat(ledger.acknowledgedCount()).isGreaterThanOrEqualTo(KILLS * SENT_BETWEEN_KILLS);
    }

    private BrokerProcess start(int port) throws Exception {
        return BrokerProcess.on(directory.resolve("data")).port(port).start();
    }

    /** A kill counts only under load: both sides must have got something done since the last. */
    private void awaitLoad() {
        int sent = ledger.acknowledgedCount();
        int received = ledger.committedCount();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () ->
                                ledger.acknowledgedCount() >= sent + SENT_BETWEEN_KILLS
                                        && ledger.committedCount() > received);
    }

    private void produce(MetaQConnectionFactory factory, String name) {
        int number = 0;
        while (isSending) {
            try (Connection connection = factory.createConnection()) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
                while (isSending) {
                    // Never the same again: without an answer it is there once or not at all.
                    String id = name + "-" + number++;
                    producer.send(session.createTextMessage(id));
                    ledger.acknowledged(id);
                }
            } catch (JMSException e) {
                // The broker was killed: go on with a new connection.
                pause();
            }
        }
    }

    private void consume(MetaQConnectionFactory factory) {
        while (isReceiving) {
            List<String> open = new ArrayList<>();
            boolean isCommitting = false;
            try (Connection connection = factory.createConnection()) {
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
                connection.start();
                while (isReceiving) {
                    Message message = consumer.receive(200);
                    if (message != null) {
                        open.add(message.getBody(String.class));
                    }
                    if (open.size() >= BATCH || (message == null && !open.isEmpty())) {
                        isCommitting = true;
                        session.commit();
                        isCommitting = false;
                        ledger.committed(open);
                        open.clear();
                    }
                }
            } catch (JMSException e) {
                if (isCommitting) {
                    ledger.unknown(open);
                }
                pause();
            }
        }
    }

    private static void pause() {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }

    private static Thread run(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
