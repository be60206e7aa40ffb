package org.metaq.sim;

import org.metaq.sim.Model.Stop;
import org.metaq.store.StoreException;

/** Ends and starts of a broker with the file journal. */
final class HostActions {
    private static final int RECOVERY_CRASHES_MAX = 3;

    private final SimWorld world;
    private final FileHost host;
    private final Reconnection reconnection;
    private long crashes;

    HostActions(SimWorld world, FileHost host, Reconnection reconnection) {
        this.world = world;
        this.host = host;
        this.reconnection = reconnection;
    }

    /** Stops without notice so far. */
    long crashes() {
        return crashes;
    }

    // ---- stops

    /** The machine will stop at one of the next crash points. */
    void arm() {
        SimDisk disk = host.disk();
        SimDisk.Phase[] phases = SimDisk.Phase.values();
        long point = disk.points() + 1 + world.random.nextInt(60);
        if (world.chance(15)) {
            world.trace.add("the disk will be full");
            disk.fullAt(point);
        } else {
            SimDisk.Phase phase = phases[world.random.nextInt(phases.length)];
            world.trace.add("will stop in " + (point - disk.points()) + " points " + phase);
            disk.failAt(point, phase);
        }
    }

    /** A clean stop and start. */
    void restart() {
        world.trace.add("clean stop");
        world.pump();
        host.close();
        restarted(Stop.CLEAN);
    }

    /** The process ends here and now. */
    void crash() {
        crashed(world.chance(40) ? Stop.KILLED : Stop.POWER_LOSS);
    }

    /** The process has ended, at a crash point or anywhere. */
    void crashed(Stop stop) {
        world.trace.add(stop + " at " + host.disk().lastPoint());
        crashes++;
        end(stop);
        restarted(stop);
    }

    private void end(Stop stop) {
        if (stop == Stop.POWER_LOSS) {
            host.losePower(world.random);
        } else {
            host.kill();
        }
    }

    /** Starts, perhaps crashing in the start, and compares what is there with the model. */
    private void restarted(Stop stop) {
        world.clients.clear();
        Stop worst = stop;
        FileHost before = host.copy();
        for (int i = 0; i < RECOVERY_CRASHES_MAX && world.chance(25); i++) {
            Stop again = world.chance(40) ? Stop.KILLED : Stop.POWER_LOSS;
            if (!startAndCrash()) {
                break;
            }
            crashes++;
            end(again);
            worst = worst == Stop.KILLED ? again : worst;
            before = host.copy();
        }
        Observation seen = observe(before);
        if (!host.isRunning()) {
            start();
        }
        host.disk().failAt(Long.MAX_VALUE, SimDisk.Phase.BEFORE);
        world.model.restarted(worst, seen, world.now(), !world.isLowOnSpace);
        ArchiveCheck.check(host, world.model.live());
        world.noticeTime();
        world.pump();
        host.scheduleRetention();
        world.trace.add("started; messages " + seen.messages() + " prepared " + seen.prepared());
        reconnection.run();
    }

    /** True if it crashed; else the broker runs. */
    private boolean startAndCrash() {
        SimDisk disk = host.disk();
        SimDisk.Phase[] phases = SimDisk.Phase.values();
        disk.failAt(
                disk.points() + 1 + world.random.nextInt(25),
                phases[world.random.nextInt(phases.length)]);
        try {
            start();
            return false;
        } catch (SimCrash e) {
            world.trace.add("again, in the start: " + e.getMessage());
            return true;
        }
    }

    private Observation observe(FileHost before) {
        try {
            return Observer.observe(before, world.branches.keySet(), world.random);
        } catch (StoreException e) {
            throw new Violation("the broker does not start again: " + e.getMessage(), e);
        }
    }

    private void start() {
        try {
            host.start();
        } catch (StoreException e) {
            throw new Violation("the broker does not start again: " + e.getMessage(), e);
        }
    }
}
