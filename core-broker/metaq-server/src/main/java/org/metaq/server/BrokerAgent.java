package org.metaq.server;

import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;
import org.metaq.common.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer thread: the only one that touches the broker. Its duty cycle takes a batch of events,
 * lets the broker work once, sends the replies, and parks when there is nothing to do.
 *
 * <p>The queue is linked, so that the end of a connection can always be told; what bounds it is the
 * {@link InboundBudget}, which event loops respect before they add a command.
 */
final class BrokerAgent implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerAgent.class);

    private static final int BATCH_EVENTS = 2048;
    private static final long BATCH_BYTES = 1 << 20;
    private static final int QUEUE_CHUNK = 1024;
    private static final long STOP_DRAIN_NS = 2_000_000_000L;

    private final BrokerCore core;
    private final InboundBudget budget;
    private final ReplyDispatcher dispatcher;
    private final Clock clock;
    private final long spinNs;
    private final MpscUnboundedArrayQueue<InboundEvent> queue =
            new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final Thread thread;

    // Written by the writer before and after it parks, read by producers in wake(). The writer sets
    // it, then looks at the queue; a producer fills the queue, then looks at it: one of both sees
    // the other's write.
    private volatile boolean parked;

    // Written by stop(), read by the writer once a cycle.
    private volatile boolean stopping;

    BrokerAgent(
            BrokerCore core,
            InboundBudget budget,
            ReplyDispatcher dispatcher,
            Clock clock,
            long spinMicros) {
        this.core = core;
        this.budget = budget;
        this.dispatcher = dispatcher;
        this.clock = clock;
        this.spinNs = spinMicros * 1000;
        this.thread = new Thread(this, "metaq-writer");
    }

    void start() {
        thread.start();
    }

    /** Adds an event. Any thread; events of one thread keep their order. */
    void offer(InboundEvent event) {
        queue.offer(event);
        wake();
    }

    /** Has the writer do a duty cycle soon. Any thread. */
    void wake() {
        // the queue publishes with release only; without a full fence the read of `parked` could
        // overtake it, and writer and producer would miss each other
        VarHandle.fullFence();
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /** Completed with what the broker died of; never completed by a clean stop. */
    CompletableFuture<Throwable> failure() {
        return failure;
    }

    /**
     * Applies what is queued, closes the broker and ends the thread; waits for that. What is queued
     * after two seconds is dropped unanswered.
     */
    void stop() throws InterruptedException {
        stopping = true;
        LockSupport.unpark(thread);
        thread.join();
    }

    @Override
    public void run() {
        try {
            serve();
            core.close();
            dispatcher.dispatch();
        } catch (Throwable t) {
            // the outermost loop: whatever came out of the broker, what it would answer from now
            // on is in doubt
            fail(t);
        }
    }

    private void fail(Throwable cause) {
        try {
            LOG.error("broker-failed reason=\"{}\"; it stops, restart it", cause, cause);
        } finally {
            // first of all, and also if there was no memory for the log line: a broker that neither
            // works nor ends is the worst outcome
            failure.complete(cause);
            dispatcher.discard();
            core.abandon();
        }
    }

    private void serve() {
        long stopDeadlineNs = 0;
        while (true) {
            int work = dutyCycle();
            if (stopping) {
                long now = clock.monotonicNs();
                stopDeadlineNs = stopDeadlineNs == 0 ? now + STOP_DRAIN_NS : stopDeadlineNs;
                if (queue.isEmpty() || now - stopDeadlineNs >= 0) {
                    return;
                }
            } else if (work == 0) {
                idle();
            }
        }
    }

    private int dutyCycle() {
        int events = 0;
        long bytes = 0;
        while (events < BATCH_EVENTS && bytes < BATCH_BYTES) {
            InboundEvent event = queue.poll();
            if (event == null) {
                break;
            }
            events++;
            bytes += handle(event);
        }
        int work = events + core.doWork();
        dispatcher.dispatch();
        budget.release(bytes);
        return work;
    }

    private int handle(InboundEvent event) {
        NettyLink link = event.link();
        if (event instanceof InboundEvent.Received received) {
            BrokerCore.@Nullable Session session = link.session();
            if (session != null) {
                session.submit(received.command());
            }
            return received.costBytes();
        } else if (event instanceof InboundEvent.Connected) {
            link.session(core.connect(link));
        } else {
            BrokerCore.@Nullable Session session = link.session();
            if (session != null) {
                link.session(null);
                session.disconnect();
            }
        }
        return 0;
    }

    private void idle() {
        long spinEndNs = clock.monotonicNs() + spinNs;
        while (spinNs > 0 && clock.monotonicNs() - spinEndNs < 0) {
            if (!queue.isEmpty()) {
                return;
            }
            Thread.onSpinWait();
        }
        parked = true;
        if (queue.isEmpty() && !stopping) {
            long waitNs = core.nextDeadlineNs() - clock.monotonicNs();
            if (waitNs > 0) {
                LockSupport.parkNanos(this, waitNs);
            }
        }
        parked = false;
    }
}
