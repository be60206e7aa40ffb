package org.metaq.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends what connections have put off, some 0.1 ms later. One daemon thread for all connections,
 * there while it has something to do and a second longer, so that it keeps no class loader alive.
 *
 * <p>Thread-safe.
 */
final class LateFlushes {
    /** For all connections of this class loader. */
    static final LateFlushes SHARED = new LateFlushes();

    /** The timers of an operating system make some 0.1 ms of it. */
    private static final long DELAY_NS = 50_000;

    /** Turns without work after which the thread has to be woken. */
    private static final int IDLE_TURNS_MAX = 20;

    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Queue<ClientConnection> due = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    /** Set by the thread before it looks a last time and sleeps; cleared by who wakes it. */
    private final AtomicBoolean isAsleep = new AtomicBoolean();

    /** Has it flushed soon. Never blocks; each connection is due at most once. */
    void add(ClientConnection connection) {
        due.add(connection);
        Thread current = thread.get();
        if (current == null) {
            start();
        } else if (isAsleep.get() && isAsleep.compareAndSet(true, false)) {
            LockSupport.unpark(current);
        }
    }

    private void start() {
        Thread started = new Thread(this::run, "metaq-flush");
        started.setDaemon(true);
        // nothing of the application's is called here
        started.setContextClassLoader(LateFlushes.class.getClassLoader());
        if (thread.compareAndSet(null, started)) {
            started.start();
        }
    }

    private void run() {
        int idleTurns = 0;
        while (true) {
            LockSupport.parkNanos(this, DELAY_NS);
            if (flushAll()) {
                idleTurns = 0;
            } else if (++idleTurns >= IDLE_TURNS_MAX) {
                idleTurns = 0;
                if (!sleep()) {
                    break;
                }
            }
        }
        thread.set(null);
        if (!due.isEmpty() && thread.get() == null) {
            start();
        }
    }

    /** Returns false if nothing came for a second. */
    private boolean sleep() {
        long endNs = System.nanoTime() + IDLE_NS;
        isAsleep.set(true);
        while (due.isEmpty() && isAsleep.get()) {
            long leftNs = endNs - System.nanoTime();
            if (leftNs <= 0) {
                break;
            }
            LockSupport.parkNanos(this, leftNs);
        }
        isAsleep.set(false);
        return !due.isEmpty();
    }

    /** Returns whether there was something. */
    private boolean flushAll() {
        boolean found = false;
        for (ClientConnection next = due.poll(); next != null; next = due.poll()) {
            found = true;
            next.flushDue();
        }
        return found;
    }
}
