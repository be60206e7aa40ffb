package org.metaq.jms.session;

import org.jspecify.annotations.Nullable;

/**
 * Wakes threads that wait for something to change. Thread-safe; a leaf: it holds no other lock, and
 * calls nobody but a listener that may be called by anybody, so that a network thread may raise it.
 *
 * <p>Use: read {@link #version}, look whether there is something to do, {@link #await} that
 * version. What is raised in between is not missed.
 */
final class Signal {
    private long version;

    // Set before the first message is asked for, read by whoever raises the signal.
    private volatile @Nullable Runnable listener;

    /**
     * Has every raise told, on the thread that raises, which may hold locks and must not wait: the
     * listener wakes or schedules somebody, and returns.
     */
    void onRaise(Runnable newListener) {
        listener = newListener;
    }

    /** Counts the times it was raised. */
    synchronized long version() {
        return version;
    }

    /** Wakes whoever waits. */
    void raise() {
        synchronized (this) {
            version++;
            notifyAll();
        }
        Runnable told = listener;
        if (told != null) {
            told.run();
        }
    }

    /**
     * Waits until it was raised after {@code seen}, or the time is over.
     *
     * @param timeoutNs longest wait; {@link Long#MAX_VALUE}: no limit; 0 or less: none
     * @throws InterruptedException if the thread is interrupted
     */
    synchronized void await(long seen, long timeoutNs) throws InterruptedException {
        long start = System.nanoTime();
        while (version == seen) {
            if (timeoutNs == Long.MAX_VALUE) {
                wait();
                continue;
            }
            long left = timeoutNs - (System.nanoTime() - start);
            if (left <= 0) {
                return;
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
    }
}
