package org.metaq.soak;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;
import org.metaq.jms.MetaQConnectionFactory;

/**
 * Sends numbers, each once whatever becomes of it, on a thread of its own, and keeps which of them
 * the broker has acknowledged.
 */
final class Feeder {
    /** Messages that wait to be moved, at most. */
    private static final int AHEAD_MAX = 200;

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final MetaQConnectionFactory factory;
    private final Thread thread = new Thread(this::feed, "feeder");

    // Confined to the thread until it has ended.
    private final BitSet sent = new BitSet();
    private int number;
    private int acknowledged;

    // Written by one thread, read by the other.
    private volatile int sentCount;
    private volatile int movedCount;
    private volatile boolean isFeeding = true;

    Feeder(String uri) {
        factory = new MetaQConnectionFactory(uri);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Tells how many have been moved on, so that it sends more. */
    void moved(int count) {
        movedCount = count;
    }

    /** How many were acknowledged. */
    int sentCount() {
        return sentCount;
    }

    /** Ends it; what was acknowledged. */
    BitSet stop() throws InterruptedException {
        isFeeding = false;
        thread.join();
        return sent;
    }

    private void feed() {
        while (isFeeding) {
            try (Connection connection = factory.createConnection()) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                send(session, session.createProducer(session.createQueue(SoakWorker.SOURCE)));
            } catch (JMSException e) {
                // The broker was killed.
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private void send(Session session, MessageProducer producer) throws JMSException {
        while (isFeeding) {
            if (sentCount - movedCount > AHEAD_MAX) {
                LockSupport.parkNanos(PAUSE.toNanos());
                continue;
            }
            number++;
            producer.send(session.createTextMessage(String.valueOf(number)));
            sent.set(number);
            acknowledged++;
            sentCount = acknowledged;
        }
    }
}
