package org.metaq.server;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.metaq.common.Clock;

/** The writer on a thread of its own, which parks when there is nothing to do. */
final class WriterThread extends BrokerAgent implements Runnable {
    private final long spinNs;
    private final Thread thread;

    // Written by the writer before and after it parks, read by producers in wake(). The writer sets
    // it, then looks at the queue; a producer fills the queue, then looks at it: one of both sees
    // the other's write.
    private volatile boolean parked;

    // Written by stop(), read by the writer once a cycle.
    private volatile boolean stopping;

    WriterThread(
            BrokerCore core,
            InboundBudget budget,
            ReplyDispatcher dispatcher,
            Clock clock,
            long spinMicros) {
        super(core, budget, dispatcher, clock);
        this.spinNs = spinMicros * 1000;
        this.thread = new Thread(this, "metaq-writer");
    }

    @Override
    void start() {
        thread.start();
    }

    @Override
    void wake() {
        // the queue publishes with release only; without a full fence the read of `parked` could
        // overtake it, and writer and producer would miss each other
        VarHandle.fullFence();
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    void stop() throws InterruptedException {
        stopping = true;
        LockSupport.unpark(thread);
        thread.join();
    }

    @Override
    public void run() {
        try {
            while (!stopping) {
                if (dutyCycle() == 0) {
                    idle();
                }
            }
            finish();
        } catch (Throwable t) {
            // the outermost loop: whatever came out of the broker
            fail(t);
        }
    }

    private void idle() {
        long spinEndNs = clock().monotonicNs() + spinNs;
        while (spinNs > 0 && clock().monotonicNs() - spinEndNs < 0) {
            if (hasEvents()) {
                return;
            }
            Thread.onSpinWait();
        }
        parked = true;
        if (!hasEvents() && !stopping) {
            long waitNs = sleepMaxNs();
            if (waitNs > 0) {
                LockSupport.parkNanos(this, waitNs);
            }
        }
        parked = false;
    }
}
