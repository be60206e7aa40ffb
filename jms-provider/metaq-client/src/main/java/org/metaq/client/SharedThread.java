package org.metaq.client;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What connections need done a little later, by one daemon thread for all of them: it sends what
 * they have put off, some 0.1 ms later, and wakes readers that stand by when nobody reads in their
 * place. The thread is there while it has something to do and a second longer, so that it keeps no
 * class loader alive.
 *
 * <p>Thread-safe.
 */
final class SharedThread {
    /** For all connections of this class loader. */
    static final SharedThread INSTANCE = new SharedThread();

    /** The timers of an operating system make some 0.1 ms of it. */
    private static final long DELAY_NS = 50_000;

    /** Turns without a flush after which the thread has to be woken for the next. */
    private static final int IDLE_TURNS_MAX = 3;

    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Queue<ClientConnection> due = new ConcurrentLinkedQueue<>();
    private final Set<ReadTurn> standing = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    /** Set by the thread before it looks a last time and sleeps; cleared by who wakes it. */
    private final AtomicBoolean isAsleep = new AtomicBoolean();

    /** Of the thread alone. */
    private long lookedNs = System.nanoTime();

    /** Has it flushed soon. Never blocks; each connection is due at most once. */
    void add(ClientConnection connection) {
        due.add(connection);
        startOrWake();
    }

    /** Has the reader thread woken when nobody reads any more, until it is removed. */
    void add(ReadTurn turn) {
        boolean isFirst = standing.isEmpty();
        standing.add(turn);
        if (isFirst) {
            startOrWake();
        }
    }

    void remove(ReadTurn turn) {
        standing.remove(turn);
    }

    private void startOrWake() {
        Thread current = thread.get();
        if (current == null) {
            start();
        } else if (isAsleep.get() && isAsleep.compareAndSet(true, false)) {
            LockSupport.unpark(current);
        }
    }

    private void start() {
        Thread started = OwnThreads.daemon("metaq-shared", this::run);
        if (thread.compareAndSet(null, started)) {
            started.start();
        }
    }

    private void run() {
        int idleTurns = 0;
        while (true) {
            LockSupport.parkNanos(this, DELAY_NS);
            wakeReaders();
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
        if (!(due.isEmpty() && standing.isEmpty()) && thread.get() == null) {
            start();
        }
    }

    /** Returns false if nothing came for a second. */
    private boolean sleep() {
        long endNs = System.nanoTime() + IDLE_NS;
        isAsleep.set(true);
        while (due.isEmpty() && isAsleep.get()) {
            boolean isWatching = !standing.isEmpty();
            long leftNs = isWatching ? ReadTurn.STANDBY_NS : endNs - System.nanoTime();
            if (leftNs <= 0) {
                break;
            }
            LockSupport.parkNanos(this, leftNs);
            if (isWatching) {
                wakeReaders();
                endNs = System.nanoTime() + IDLE_NS;
            }
        }
        isAsleep.set(false);
        return !due.isEmpty() || !standing.isEmpty();
    }

    private void wakeReaders() {
        long nowNs = System.nanoTime();
        if (nowNs - lookedNs >= ReadTurn.STANDBY_NS) {
            lookedNs = nowNs;
            standing.forEach(ReadTurn::wakeIfUnread);
        }
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
