package org.metaq.client;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets only so many bytes be under way; who wants more waits, first come first served. A single
 * item larger than the whole window passes alone. Thread-safe: one lock, never held over a call to
 * other code.
 */
final class ByteWindow {
    private final long limitBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Object> waiters = new ArrayDeque<>();
    private long usedBytes;
    private boolean isClosed;

    ByteWindow(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * Takes room, waiting for it.
     *
     * @return false if there was none in time, and then nothing is taken
     * @throws InterruptedException if interrupted while waiting; nothing is taken
     */
    boolean acquire(int bytes, long timeoutNs) throws InterruptedException {
        lock.lock();
        try {
            if (!waiters.isEmpty() || !fits(bytes)) {
                if (!awaitTurn(bytes, timeoutNs)) {
                    return false;
                }
            }
            usedBytes += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitTurn(int bytes, long timeoutNs) throws InterruptedException {
        Object turn = new Object();
        waiters.add(turn);
        try {
            long leftNs = timeoutNs;
            while (waiters.peek() != turn || !fits(bytes)) {
                if (leftNs <= 0) {
                    return false;
                }
                leftNs = changed.awaitNanos(leftNs);
            }
            return true;
        } finally {
            waiters.remove(turn);
            changed.signalAll();
        }
    }

    private boolean fits(int bytes) {
        return isClosed || usedBytes == 0 || usedBytes + bytes <= limitBytes;
    }

    /** Takes room that may not be there: for the thread that makes room and so must not wait. */
    void force(int bytes) {
        lock.lock();
        try {
            usedBytes += bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Gives room back. */
    void release(int bytes) {
        lock.lock();
        try {
            usedBytes -= bytes;
            if (!waiters.isEmpty()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What is taken just now; changes at any time. */
    long usedBytes() {
        lock.lock();
        try {
            return usedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** From now on nobody waits. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
