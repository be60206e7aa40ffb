package org.metaq.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.metaq.broker.Broker;

/**
 * A machine: a disk, a clock and, while it runs, a broker process with the file journal. The slow
 * part of checkpoints runs when the simulation says so.
 */
final class FileHost extends SimHost {
    private SimDisk disk;
    private final Deque<Runnable> background = new ArrayDeque<>();

    FileHost(SimOptions options, SimClock clock, SimDisk disk) {
        super(options, clock);
        this.disk = disk;
    }

    SimDisk disk() {
        return disk;
    }

    @Override
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

    @Override
    FileHost copy() {
        return new FileHost(options, clock, disk.copy());
    }

    @Override
    void runBackground() {
        Runnable task = background.poll();
        if (task != null) {
            task.run();
        }
    }

    @Override
    void setUsableBytes(long bytes) {
        disk.setUsableBytes(bytes);
    }

    /** A clean stop. */
    void close() {
        while (!background.isEmpty()) {
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
}
