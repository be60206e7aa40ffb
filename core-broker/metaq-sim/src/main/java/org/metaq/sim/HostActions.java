package org.metaq.sim;

import java.util.List;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.sim.Model.Stop;
import org.metaq.sim.SimBranch.Stage;
import org.metaq.store.StoreException;

/** Time, disk space, and the broker's ends and starts. */
final class HostActions {
    private static final int RECOVERY_CRASHES_MAX = 3;

    private final SimWorld world;
    private final MessageActions messages;
    private final ConsumerActions consumers;
    private final TransactionActions transactions;
    private long crashes;

    HostActions(
            SimWorld world,
            MessageActions messages,
            ConsumerActions consumers,
            TransactionActions transactions) {
        this.world = world;
        this.messages = messages;
        this.consumers = consumers;
        this.transactions = transactions;
    }

    /** Stops without notice so far. */
    long crashes() {
        return crashes;
    }

    // ---- time

    /** Time passes; branches that ran too long are rolled back. */
    void advance() {
        advanceMs(world.chance(10) ? world.random.nextInt(25_000) : world.random.nextInt(300));
    }

    private void advanceMs(long ms) {
        world.pump();
        world.trace.add(ms + " ms pass");
        world.host.clock().advanceMs(ms);
        long nowNs = world.host.clock().monotonicNs();
        for (SimBranch branch : world.branches.values()) {
            if (branch.stage == Stage.OPEN && branch.deadlineNs <= nowNs) {
                branch.stage = Stage.DONE;
                world.model.submit(
                        new Op.Rollback(
                                branch.id,
                                Outcome.TIMED_OUT,
                                SimClient.refs(branch.acknowledged)));
            }
        }
        world.pump();
    }

    void jumpWall() {
        long ms = world.random.nextInt(20_000) - 10_000L;
        world.trace.add("the wall clock jumps by " + ms + " ms");
        world.host.clock().jumpWallMs(ms);
    }

    void changeSpace() {
        if (!world.isLowOnSpace && world.chance(60)) {
            return;
        }
        advanceMs(1000);
        boolean isLow = !world.isLowOnSpace && world.chance(30);
        if (world.isLowOnSpace != isLow) {
            world.isLowOnSpace = isLow;
            world.trace.add("low on space: " + isLow);
        }
        world.host.disk().setUsableBytes(world.isLowOnSpace ? 1 : SimOptions.MIN_FREE * 100);
    }

    // ---- stops

    /** The machine will stop at one of the next crash points. */
    void arm() {
        SimDisk disk = world.host.disk();
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
        world.host.close();
        restarted(Stop.CLEAN);
    }

    /** The process ends here and now. */
    void crash() {
        crashed(world.chance(40) ? Stop.KILLED : Stop.POWER_LOSS);
    }

    /** The process has ended, at a crash point or anywhere. */
    void crashed(Stop stop) {
        world.trace.add(stop + " at " + world.host.disk().lastPoint());
        crashes++;
        end(stop);
        restarted(stop);
    }

    private void end(Stop stop) {
        if (stop == Stop.POWER_LOSS) {
            world.host.losePower(world.random);
        } else {
            world.host.kill();
        }
    }

    /** Starts, perhaps crashing in the start, and compares what is there with the model. */
    private void restarted(Stop stop) {
        world.clients.clear();
        Stop worst = stop;
        SimHost before = world.host.copy();
        for (int i = 0; i < RECOVERY_CRASHES_MAX && world.chance(25); i++) {
            Stop again = world.chance(40) ? Stop.KILLED : Stop.POWER_LOSS;
            if (!startAndCrash()) {
                break;
            }
            crashes++;
            end(again);
            worst = worst == Stop.KILLED ? again : worst;
            before = world.host.copy();
        }
        Observation seen = observe(before);
        if (!world.host.isRunning()) {
            start();
        }
        world.host.disk().failAt(Long.MAX_VALUE, SimDisk.Phase.BEFORE);
        world.model.restarted(worst, seen);
        world.trace.add("started; messages " + seen.messages() + " prepared " + seen.prepared());
        settle();
    }

    /** True if it crashed; else the broker runs. */
    private boolean startAndCrash() {
        SimDisk disk = world.host.disk();
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

    private Observation observe(SimHost before) {
        try {
            return Observer.observe(before, world.branches.keySet(), world.random);
        } catch (StoreException e) {
            throw new Violation("the broker does not start again: " + e.getMessage(), e);
        }
    }

    private void start() {
        try {
            world.host.start();
        } catch (StoreException e) {
            throw new Violation("the broker does not start again: " + e.getMessage(), e);
        }
    }

    /** Clients find out where their branches are, and repeat what they got no answer to. */
    private void settle() {
        ModelState live = world.model.live();
        for (SimBranch branch : world.branches.values()) {
            boolean isPrepared = live.branches.containsKey(branch.id);
            branch.stage = isPrepared ? Stage.PREPARED : Stage.DONE;
            branch.temporarySends.clear();
        }
        world.topics.removeIf(topic -> !live.topics.containsKey(topic));
        for (String topic : List.copyOf(live.topics.keySet())) {
            if (!world.topics.contains(topic)) {
                world.topics.add(topic);
            }
        }
        SimClient client = world.connect("");
        world.pump();
        transactions.repeatUnknown(client);
        messages.resendUnanswered(client);
        world.maybePump();
        for (int i = 0; i < 3; i++) {
            consumers.connect();
            consumers.subscribe(world.clients.get(i));
            consumers.subscribe(world.clients.get(i));
        }
    }
}
