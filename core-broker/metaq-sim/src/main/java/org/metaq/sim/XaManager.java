package org.metaq.sim;

import org.jspecify.annotations.Nullable;
import org.metaq.sim.Model.Stop;

/** A transaction manager's machine: its disk, and the process that runs on it or does not. */
final class XaManager {
    /** Few writes: two for each transaction that commits in two phases. */
    private static final int ARMED_POINTS_MAX = 12;

    private static final int PERCENT_KILLED = 40;

    final String name;
    private final XaWorld world;
    private SimDisk disk = new SimDisk();
    private @Nullable XaManagerProcess process;
    private long crashes;

    XaManager(String name, XaWorld world) {
        this.name = name;
        this.world = world;
    }

    /** The running process; null if there is none. */
    @Nullable XaManagerProcess process() {
        return process;
    }

    /** Starts a process, which goes by what the log says; it may crash in that. */
    void start() {
        world.trace.add("start of " + this);
        run(() -> process = new XaManagerProcess(world, this, DecisionLog.open(disk)));
    }

    /** Runs a part of the process, in which it may crash. */
    void run(Runnable part) {
        try {
            part.run();
        } catch (SimCrash e) {
            world.trace.add(this + ": " + e.getMessage());
            crashed();
        }
    }

    /** The process or the machine stops here and now. */
    void crashed() {
        Stop stop = world.chance(PERCENT_KILLED) ? Stop.KILLED : Stop.POWER_LOSS;
        world.trace.add(stop + " of " + this);
        crashes++;
        disk = stop == Stop.POWER_LOSS ? disk.afterPowerLoss(world.random) : disk.afterKill();
        XaManagerProcess gone = process;
        process = null;
        if (gone != null) {
            gone.wires().forEach(wire -> wire.clientGone(world.random));
        }
    }

    /** The machine will stop at one of the next writes and forces. */
    void arm() {
        world.arm(disk, ARMED_POINTS_MAX);
    }

    /** It will not stop by itself any more. */
    void disarm() {
        disk.failAt(Long.MAX_VALUE, SimDisk.Phase.BEFORE);
    }

    /** Stops so far. */
    long crashes() {
        return crashes;
    }

    @Override
    public String toString() {
        return name;
    }
}
