package org.metaq.samples.quickstart;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Picks the one transaction that is held between prepare and commit, for the parent to kill this
 * JVM there. Thread-safe.
 */
final class HoldPoint {
    private final int afterOrders;
    private int orders;
    private boolean isTaken;

    /**
     * A point that is not reached.
     *
     * @param afterOrders orders taken until then, its own included; {@link WorkerOptions#NEVER}
     */
    HoldPoint(int afterOrders) {
        this.afterOrders = afterOrders;
    }

    /** What a transaction has to enlist first, so that it can be held; null: none will be. */
    @Nullable HoldingResource resource() {
        return afterOrders == WorkerOptions.NEVER ? null : new HoldingResource(this);
    }

    /** A transaction took so many orders, and is about to commit. */
    synchronized void took(int count) {
        orders += count;
    }

    private synchronized boolean take() {
        if (isTaken || orders < afterOrders) {
            return false;
        }
        isTaken = true;
        return true;
    }

    /** If the caller's transaction is the one: tells the parent, and never returns. */
    void holdIfReached() {
        if (!take()) {
            return;
        }
        System.out.println(WorkerJvm.BLOCKED);
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException e) {
                // Held all the same: only a kill ends it.
                Thread.interrupted();
            }
        }
    }
}
