package org.metaq.sim;

import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.sim.SimBranch.Stage;

/** Time passes; space on the disk comes and goes. */
final class TimeActions {
    private final SimWorld world;

    TimeActions(SimWorld world) {
        this.world = world;
    }

    /** Time passes; branches that ran too long are rolled back. */
    void advance() {
        advanceMs(world.chance(10) ? world.random.nextInt(25_000) : world.random.nextInt(300));
    }

    /** So much time that retention looks. */
    void lookAtLogs() {
        advanceMs(1000 + world.random.nextInt(500));
    }

    private void advanceMs(long ms) {
        world.pump();
        world.trace.add(ms + " ms pass");
        world.host.clock().advanceMs(ms);
        world.noticeTime();
        long nowNs = world.host.clock().monotonicNs();
        for (SimBranch branch : world.branches.values()) {
            if (branch.stage == Stage.OPEN && branch.deadlineNs <= nowNs) {
                branch.stage = Stage.DONE;
                world.model.submit(
                        new Op.Rollback(
                                branch.id, Outcome.TIMED_OUT, SimClient.refs(branch.acknowledged)));
            }
        }
        world.pump();
    }

    /** Somebody sets the clock. */
    void jumpWall() {
        long ms = world.random.nextInt(20_000) - 10_000L;
        world.pump();
        world.trace.add("the wall clock jumps by " + ms + " ms");
        world.host.clock().jumpWallMs(ms);
        world.noticeTime();
        world.pump();
    }

    /** The disk is nearly full, or no more. */
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
        world.host.setUsableBytes(isLow ? 1 : SimOptions.MIN_FREE * 100);
        // So long that the broker looks at the space again before it is told anything.
        advanceMs(1000);
    }
}
