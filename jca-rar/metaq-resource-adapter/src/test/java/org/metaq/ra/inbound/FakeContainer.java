package org.metaq.ra.inbound;

import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.XATerminator;
import jakarta.resource.spi.work.ExecutionContext;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkContext;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkListener;
import jakarta.resource.spi.work.WorkManager;
import jakarta.resource.spi.work.WorkRejectedException;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** What an application server gives a resource adapter: threads and timers. Thread-safe. */
final class FakeContainer implements BootstrapContext, WorkManager, AutoCloseable {
    private final AtomicInteger threads = new AtomicInteger();
    private final ExecutorService pool =
            Executors.newCachedThreadPool(
                    work -> {
                        Thread thread = new Thread(work, "container-" + threads.incrementAndGet());
                        thread.setDaemon(true);
                        return thread;
                    });

    private final AtomicInteger rejections = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    /** The next so many works are rejected. */
    void rejectWorks(int count) {
        rejections.set(count);
    }

    /** Rejections that are still to come. */
    int rejectionsLeft() {
        return rejections.get();
    }

    /** Works that have a thread just now. */
    int running() {
        return running.get();
    }

    @Override
    public void scheduleWork(Work work) throws WorkException {
        if (rejections.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new WorkRejectedException("all threads are busy");
        }
        pool.execute(
                () -> {
                    running.incrementAndGet();
                    try {
                        work.run();
                    } finally {
                        // as WildFly does after each run
                        work.release();
                        running.decrementAndGet();
                    }
                });
    }

    @Override
    public Timer createTimer() {
        return new Timer("container-timer", true);
    }

    @Override
    public WorkManager getWorkManager() {
        return this;
    }

    /** Works end by themselves; their threads go. */
    @Override
    public void close() {
        pool.shutdown();
    }

    // ---- what the adapter has no need of

    private static UnsupportedOperationException notNeeded() {
        return new UnsupportedOperationException("not expected of this resource adapter");
    }

    @Override
    public XATerminator getXATerminator() {
        throw notNeeded();
    }

    @Override
    public TransactionSynchronizationRegistry getTransactionSynchronizationRegistry() {
        throw notNeeded();
    }

    @Override
    public boolean isContextSupported(Class<? extends WorkContext> type) {
        return false;
    }

    @Override
    public void doWork(Work work) {
        throw notNeeded();
    }

    @Override
    public void doWork(
            Work work, long startTimeout, ExecutionContext context, WorkListener listener) {
        throw notNeeded();
    }

    @Override
    public long startWork(Work work) {
        throw notNeeded();
    }

    @Override
    public long startWork(
            Work work, long startTimeout, ExecutionContext context, WorkListener listener) {
        throw notNeeded();
    }

    @Override
    public void scheduleWork(
            Work work, long startTimeout, ExecutionContext context, WorkListener listener) {
        throw notNeeded();
    }
}
