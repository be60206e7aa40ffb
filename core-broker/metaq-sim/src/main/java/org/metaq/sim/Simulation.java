package org.metaq.sim;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.metaq.sim.Model.Stop;
import org.metaq.store.StoreException;

/** One run of one seed over the file journal: a workload with stops of every kind. */
final class Simulation {
    private final Trace trace = new Trace();
    private final SimWorld world;
    private final Workload workload;
    private long steps;

    Simulation(long seed, UnaryOperator<SimOptions> plant) {
        this.world = new SimWorld(seed, trace, plant);
        this.workload = new Workload(world);
    }

    Simulation(long seed) {
        this(seed, options -> options);
    }

    /** Runs with stops at random moments. */
    void run(int count) {
        guarded(() -> { workload.begin(); return true; }, null);
        for (int i = 0; i < count; i++) {
            guarded(this::stepOrStop, null);
        }
        guarded(() -> { workload.hosts.restart(); return true; }, null);
    }

    private boolean stepOrStop() {
        int dice = world.random.nextInt(260);
        if (dice < 2) {
            workload.hosts.crash();
        } else if (dice < 4) {
            workload.hosts.arm();
        } else if (dice < 5) {
            workload.hosts.restart();
        } else {
            workload.step();
        }
        return true;
    }

    /** Runs without stops. */
    void runQuietly(int count) {
        guarded(() -> { workload.begin(); return true; }, null);
        for (int i = 0; i < count; i++) {
            guarded(() -> { workload.step(); return true; }, null);
        }
    }

    /**
     * The same run as {@link #runQuietly}, but it stops at a crash point; then a restart, some more
     * steps, and a clean restart.
     *
     * @return whether the run got as far as the crash point
     */
    boolean runToCrash(int count, long point, SimDisk.Phase phase, Stop stop, int more) {
        world.host.disk().failAt(point, phase);
        boolean isCrashed = !guarded(() -> { workload.begin(); return true; }, stop);
        for (int i = 0; i < count && !isCrashed; i++) {
            isCrashed = !guarded(() -> { workload.step(); return true; }, stop);
        }
        if (isCrashed) {
            for (int i = 0; i < more; i++) {
                guarded(() -> { workload.step(); return true; }, null);
            }
            guarded(() -> { workload.hosts.restart(); return true; }, null);
        }
        return isCrashed;
    }

    private interface Part {
        boolean run();
    }

    /** True if it ran to its end, false if the machine stopped in it and was started again. */
    private boolean guarded(Part part, @Nullable Stop stop) {
        steps++;
        try {
            return part.run();
        } catch (SimCrash e) {
            trace.add(String.valueOf(e.getMessage()));
            boolean isKill = stop == null ? world.chance(40) : stop == Stop.KILLED;
            workload.hosts.crashed(isKill ? Stop.KILLED : Stop.POWER_LOSS);
            return false;
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.DISK_FULL) {
                throw new Violation("the broker failed: " + e.getMessage(), e);
            }
            trace.add("the broker stops: " + e.getMessage());
            workload.hosts.crashed(Stop.KILLED);
            return false;
        } catch (Violation e) {
            throw e;
        } catch (RuntimeException e) {
            throw new Violation("the broker failed: " + e, e);
        }
    }

    Trace trace() {
        return trace;
    }

    SimWorld world() {
        return world;
    }

    long crashes() {
        return workload.hosts.crashes();
    }

    long operations() {
        return world.model.count();
    }

    long steps() {
        return steps;
    }
}
