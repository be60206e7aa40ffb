package org.metaq.server;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.metaq.common.Clock;

/**
 * The writer on the one event loop that serves all sockets: a command costs no hand-off to another
 * thread, nor does its reply. The loop reads every socket that is ready, then the duty cycle takes
 * all that was read as one batch. While it forces the journal no socket is served; what comes
 * meanwhile waits in the sockets and makes the next batch.
 */
final class WriterOnEventLoop extends BrokerAgent {
    private final EventLoop loop;

    // Set by whoever wants a turn, cleared by the turn before it looks at the queue.
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    // event loop
    private long timerNs = Long.MAX_VALUE;
    private boolean isStarted;
    private boolean isOver;

    WriterOnEventLoop(
            BrokerCore core,
            InboundBudget budget,
            ReplyDispatcher dispatcher,
            Clock clock,
            EventLoop loop) {
        super(core, budget, dispatcher, clock);
        this.loop = loop;
    }

    @Override
    void start() {
        loop.execute(
                () -> {
                    isStarted = true;
                    turn();
                });
    }

    @Override
    void wake() {
        if (!isScheduled.getAndSet(true)) {
            loop.execute(this::turn);
        }
    }

    @Override
    void stop() throws InterruptedException {
        Future<?> end = loop.submit(this::end);
        end.await();
    }

    private void turn() {
        isScheduled.set(false);
        if (!isStarted || isOver) {
            return;
        }
        try {
            if (dutyCycle() > 0 || hasEvents()) {
                wake();
            } else {
                setTimer();
            }
        } catch (Throwable t) {
            // the outermost loop: whatever came out of the broker
            isOver = true;
            fail(t);
        }
    }

    /** One timer at a time; a turn that it runs too early sets the next. */
    private void setTimer() {
        long waitNs = Math.max(0, sleepMaxNs());
        long atNs = clock().monotonicNs() + waitNs;
        if (atNs < timerNs) {
            timerNs = atNs;
            var unused = loop.schedule(() -> timerEnded(atNs), waitNs, TimeUnit.NANOSECONDS);
        }
    }

    private void timerEnded(long atNs) {
        if (timerNs == atNs) {
            timerNs = Long.MAX_VALUE;
        }
        turn();
    }

    private void end() {
        if (isOver) {
            return;
        }
        isOver = true;
        try {
            finish();
        } catch (Throwable t) {
            // the outermost loop: whatever came out of the broker
            fail(t);
        }
    }
}
