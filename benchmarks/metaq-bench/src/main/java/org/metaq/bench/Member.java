package org.metaq.bench;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/**
 * A producer or consumer of a workload: a thread with a connection of its own. Its counter may be
 * read by any thread.
 */
abstract class Member {
    private final Thread thread;
    private final ConnectionFactory factory;
    // Written by the member's thread, read by the one that measures.
    private volatile int count;
    private volatile @Nullable Throwable failure;

    Member(String name, ConnectionFactory factory) {
        this.factory = factory;
        this.thread = new Thread(this::runAndNote, name);
        thread.setDaemon(true);
    }

    final void start() {
        thread.start();
    }

    /** Waits for the end; false if it takes longer than that. */
    final boolean awaitEnd(long timeoutMs) throws InterruptedException {
        thread.join(timeoutMs);
        return !thread.isAlive();
    }

    /** Messages sent or received so far; after a transaction's end only. */
    final int count() {
        return count;
    }

    /** What ended it before its time; null if nothing did. */
    final @Nullable Throwable failure() {
        return failure;
    }

    /** Adds to the counter. Called by the member's thread. */
    final void add(int messages) {
        // One writer: no other thread can come between.
        @SuppressWarnings("NonAtomicVolatileUpdate")
        int sum = count + messages;
        count = sum;
    }

    /** Does the work until it is told to stop. */
    abstract void run(Connection connection) throws JMSException;

    private void runAndNote() {
        try (Connection connection = factory.createConnection()) {
            run(connection);
        } catch (JMSException | RuntimeException e) {
            failure = e;
        }
    }
}
