package org.metaq.sim;

import org.jspecify.annotations.Nullable;
import org.metaq.broker.Broker;

/** Where a simulated broker runs: on a disk of its own, or as the leader of replicas. */
abstract class SimHost {
    private static final int TURNS_MAX = 1000;

    final SimOptions options;
    final SimClock clock;
    @Nullable Broker broker;

    SimHost(SimOptions options, SimClock clock) {
        this.options = options;
        this.clock = clock;
    }

    /** Starts a broker on what is there. */
    abstract void start();

    /** From now on retention takes what the options say; a host that is only looked at does not. */
    void scheduleRetention() {
        broker().scheduleRetention(SimOptions.retentionTimes());
    }

    /** Another host with a copy of what is there, and the same time. Nothing runs on it. */
    abstract SimHost copy();

    /** The background thread, if there is one, gets its turn. */
    abstract void runBackground();

    /** What free space the broker sees, if there is a disk to see. */
    abstract void setUsableBytes(long bytes);

    /** True if commands may have been taken and not applied even after a turn of the broker. */
    boolean isDelayed() {
        return false;
    }

    /** True if commands were taken and are not applied. */
    boolean hasUnapplied() {
        return false;
    }

    /** One turn; what was taken may stay unapplied on a delayed host. */
    void turn() {
        pump();
    }

    /** Works until there is nothing to do and everything is applied. */
    void pump() {
        int turns = 0;
        while (broker().doWork() > 0) {
            if (++turns > TURNS_MAX) {
                throw new Violation("the broker does not come to rest");
            }
        }
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
}
