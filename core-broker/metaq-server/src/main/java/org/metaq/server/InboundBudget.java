package org.metaq.server;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of commands that were decoded and not yet applied. Event loops add and, when it is used
 * up, register to be woken; the writer thread takes off what it applied and wakes them once half is
 * free. Thread-safe.
 *
 * <p>A connection that finds the budget used up adds nothing, so that the sum exceeds the limit by
 * at most one command per event loop.
 */
final class InboundBudget {
    /** Fixed cost of a command: what its objects take. */
    static final int COMMAND_OVERHEAD_BYTES = 256;

    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    InboundBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Whether nothing may be added now. */
    boolean isUsedUp() {
        return usedBytes.get() >= limitBytes;
    }

    void add(long bytes) {
        usedBytes.addAndGet(bytes);
    }

    long usedBytes() {
        return usedBytes.get();
    }

    /**
     * Has {@code wake} run, on the thread that frees or on this one, once the budget is no longer
     * used up. It may run though the budget is used up again; callers check.
     */
    void await(Runnable wake) {
        waiting.add(wake);
        if (!isUsedUp()) {
            // what was to wake us may have looked at the queue before we were in it
            wakeAll();
        }
    }

    /** Takes off what was added before. */
    void release(long bytes) {
        if (bytes != 0 && usedBytes.addAndGet(-bytes) <= limitBytes / 2) {
            wakeAll();
        }
    }

    private void wakeAll() {
        for (Runnable wake = waiting.poll(); wake != null; wake = waiting.poll()) {
            wake.run();
        }
    }
}
