package org.metaq.sim;

import java.util.Random;
import org.metaq.sim.Model.Stop;

/**
 * One run of one seed over the model of a replicated journal: the same clients, the same oracle,
 * and leaders that are deposed with commands under way. The broker's facade has no follower mode:
 * each new leader is a broker that is opened on the replicated log.
 */
final class ReplicaSimulation {
    private static final int PERCENT_DEPOSED = 2;

    private final Trace trace = new Trace();
    private final ReplicaHost host;
    private final SimWorld world;
    private final Workload workload;
    private final Reconnection reconnection;
    private long changes;

    ReplicaSimulation(long seed) {
        Random random = new Random(seed * Simulation.SEED_FACTOR + 2);
        SimOptions options = SimOptions.of(random).strict();
        host =
                new ReplicaHost(
                        options, new SimClock(), new ModelCluster(), new Random(random.nextLong()));
        world = new SimWorld(random, options, host, trace);
        workload = new Workload(world);
        reconnection = workload.reconnection();
    }

    /** Runs with changes of the leader at random moments. */
    void run(int count) {
        try {
            workload.begin();
            for (int i = 0; i < count; i++) {
                if (world.chance(PERCENT_DEPOSED)) {
                    changeLeader();
                } else {
                    workload.step();
                }
            }
            changeLeader();
        } catch (Violation e) {
            throw e;
        } catch (RuntimeException e) {
            throw new Violation("the broker failed: " + e, e);
        }
    }

    private void changeLeader() {
        changes++;
        world.isDeposing = true;
        int kept = host.depose();
        world.isDeposing = false;
        trace.add("deposed; " + kept + " waiting batches count");
        world.clients.clear();
        Observation seen = Observer.observe(host, world.branches.keySet(), world.random);
        host.start();
        world.model.restarted(Stop.KILLED, seen, world.now(), true);
        world.isLowOnSpace = false;
        world.noticeTime();
        world.pump();
        host.scheduleRetention();
        trace.add("a new leader; messages " + seen.messages() + " prepared " + seen.prepared());
        host.compare();
        reconnection.run();
    }

    Trace trace() {
        return trace;
    }

    /** Changes of the leader so far. */
    long changes() {
        return changes;
    }

    /** Operations so far. */
    long operations() {
        return world.model.count();
    }
}
