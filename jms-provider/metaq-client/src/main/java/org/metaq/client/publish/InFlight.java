package org.metaq.client.publish;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the messages under way and lets only so many of them, and of their bytes, be. A message
 * larger than the whole bound passes alone. Thread-safe: one fair lock.
 */
final class InFlight {
    private final int countMax;
    private final long bytesMax;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition changed = lock.newCondition();
    private int count;
    private long bytes;

    InFlight(int countMax, long bytesMax) {
        this.countMax = countMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Takes room for a message.
     *
     * @param waitNs 0: do not wait
     * @return false if there was none in time
     * @throws InterruptedException if interrupted while waiting; nothing is taken
     */
    boolean acquire(int length, long waitNs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = waitNs;
            while (!fits(length)) {
                if (leftNs <= 0) {
                    return false;
                }
                leftNs = changed.awaitNanos(leftNs);
            }
            count++;
            bytes += length;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean fits(int length) {
        return count == 0 || (count < countMax && bytes + length <= bytesMax);
    }

    void release(int length) {
        lock.lock();
        try {
            count--;
            bytes -= length;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing is under way; false if that takes longer. */
    boolean awaitEmpty(long waitNs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = waitNs;
            while (count > 0) {
                if (leftNs <= 0) {
                    return false;
                }
                leftNs = changed.awaitNanos(leftNs);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return count
                    + " messages (at most "
                    + countMax
                    + "), "
                    + bytes
                    + " bytes (at most "
                    + bytesMax
                    + ")";
        } finally {
            lock.unlock();
        }
    }
}
