package org.metaq.server;

import java.util.concurrent.CompletableFuture;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;
import org.metaq.common.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer: the only one that touches the broker. Its duty cycle takes a batch of events, lets
 * the broker work once, and sends the replies. Subclasses say on which thread: {@link WriterThread}
 * has one of its own, {@link WriterOnEventLoop} shares that of the sockets.
 *
 * <p>The queue is linked, so that the end of a connection can always be told; what bounds it is the
 * {@link InboundBudget}, which event loops respect before they add a command.
 */
abstract class BrokerAgent {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerAgent.class);

    private static final int BATCH_EVENTS = 2048;
    private static final long BATCH_BYTES = 1 << 20;
    private static final int QUEUE_CHUNK = 1024;
    private static final long STOP_DRAIN_NS = 2_000_000_000L;

    private final BrokerCore core;
    private final InboundBudget budget;
    private final ReplyDispatcher dispatcher;
    private final Clock clock;
    private final MpscUnboundedArrayQueue<InboundEvent> queue =
            new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    BrokerAgent(BrokerCore core, InboundBudget budget, ReplyDispatcher dispatcher, Clock clock) {
        this.core = core;
        this.budget = budget;
        this.dispatcher = dispatcher;
        this.clock = clock;
    }

    /** Starts to work. */
    abstract void start();

    /** Has the writer do a duty cycle soon. Any thread. */
    abstract void wake();

    /**
     * Applies what is queued, closes the broker and ends; waits for that. What is queued after two
     * seconds is dropped unanswered.
     */
    abstract void stop() throws InterruptedException;

    /** Adds an event. Any thread; events of one thread keep their order. */
    final void offer(InboundEvent event) {
        queue.offer(event);
        wake();
    }

    /** Completed with what the broker died of; never completed by a clean stop. */
    final CompletableFuture<Throwable> failure() {
        return failure;
    }

    // ---- for the subclasses, on the writer

    final boolean hasEvents() {
        return !queue.isEmpty();
    }

    final Clock clock() {
        return clock;
    }

    /** How long the writer may sleep, nanoseconds; 0 or less: not at all. */
    final long sleepMaxNs() {
        return core.nextDeadlineNs() - clock.monotonicNs();
    }

    /** The last acts: what is queued, within its time, and a clean stop of the broker. */
    final void finish() {
        long stopDeadlineNs = clock.monotonicNs() + STOP_DRAIN_NS;
        while (hasEvents() && clock.monotonicNs() - stopDeadlineNs < 0) {
            dutyCycle();
        }
        core.close();
        dispatcher.dispatch();
    }

    /** The broker threw: whatever it would answer from now on is in doubt. */
    final void fail(Throwable cause) {
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

    /** One turn; returns how much was done. */
    final int dutyCycle() {
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

    private long handle(InboundEvent event) {
        if (event instanceof InboundEvent.Task task) {
            task.work().run();
            return 0;
        }
        return handle((InboundEvent.OfLink) event);
    }

    private long handle(InboundEvent.OfLink event) {
        NettyLink link = event.link();
        if (event instanceof InboundEvent.Connected) {
            link.session(core.connect(link));
            return 0;
        }
        BrokerCore.@Nullable Session session = link.session();
        if (event instanceof InboundEvent.Received received) {
            if (session != null) {
                session.submit(received.command());
            }
            return received.costBytes();
        } else if (event instanceof InboundEvent.Begun begun) {
            if (session != null) {
                session.beginSend(begun.head(), begun.bodyLength());
            }
            return begun.costBytes();
        } else if (event instanceof InboundEvent.Piece piece) {
            if (session != null) {
                session.sendPart(piece.bytes());
            }
            return piece.costBytes();
        } else if (session != null) {
            link.session(null);
            session.disconnect();
        }
        return 0;
    }
}
