package org.metaq.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Broker;

/**
 * A machine: a disk, a clock and, while it runs, a broker process. The slow part of checkpoints runs
 * when the simulation says so.
 */
final class SimHost {
    private final SimOptions options;
    private final SimClock clock;
    private SimDisk disk;
    private @Nullable Broker broker;
    private final Deque<Runnable> background = new ArrayDeque<>();

    SimHost(SimOptions options, SimClock clock, SimDisk disk) {
        this.options = options;
        this.clock = clock;
        this.disk = disk;
    }

    SimDisk disk() {
        return disk;
    }

    SimClock clock() {
        return clock;
    }

    /** The running broker. */
    Broker broker() {
        Broker running = broker;
        if (running == null) {
            throw new IllegalStateException("no broker runs");
        }
        return running;
    }

    boolean isRunning() {
        return broker != null;
    }

    /** Starts a broker process on what the disk holds. */
    void start() {
        background.clear();
        broker =
                Broker.open(
                        options.broker(),
                        options.journal(),
                        options.directory().apply(disk),
                        clock,
                        background::add);
    }

    boolean hasBackground() {
        return !background.isEmpty();
    }

    /** The background thread gets its turn. */
    void runBackground() {
        Runnable task = background.poll();
        if (task != null) {
            task.run();
        }
    }

    /** Works until there is nothing to do. */
    void pump() {
        int turns = 0;
        while (broker().doWork() > 0) {
            if (++turns > 1000) {
                throw new Violation("the broker does not come to rest");
            }
        }
    }

    /** A clean stop. */
    void close() {
        while (hasBackground()) {
            runBackground();
        }
        broker().close();
        gone(disk.afterKill());
    }

    /** Kill -9: the page cache survives. */
    void kill() {
        gone(disk.afterKill());
    }

    /** The power fails. */
    void losePower(Random random) {
        gone(disk.afterPowerLoss(random));
    }

    private void gone(SimDisk next) {
        broker = null;
        background.clear();
        disk = next;
    }

    /** Another machine with a copy of this disk and the same time. */
    SimHost copy() {
        return new SimHost(options, clock, disk.copy());
    }
}
