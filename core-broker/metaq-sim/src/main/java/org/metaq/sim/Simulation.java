package org.metaq.sim;

import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.metaq.sim.Model.Stop;
import org.metaq.store.StoreException;

/** One run of one seed over the file journal: a workload with stops of every kind. */
final class Simulation {
    /** Spreads neighbouring seeds over the random generator's space. */
    static final long SEED_FACTOR = 0x9E3779B97F4A7C15L;

    private final Trace trace = new Trace();
    private final SimWorld world;
    private final FileHost host;
    private final Workload workload;
    private final HostActions stops;

    Simulation(long seed, UnaryOperator<SimOptions> plant) {
        Random random = new Random(seed * SEED_FACTOR + 1);
        SimOptions options = plant.apply(SimOptions.of(random));
        host = new FileHost(options, new SimClock(), new SimDisk());
        world = new SimWorld(random, options, host, trace);
        workload = new Workload(world);
        stops = new HostActions(world, host, workload.reconnection());
    }

    Simulation(long seed) {
        this(seed, options -> options);
    }

    /** Runs with stops at random moments. */
    void run(int count) {
        guarded(
                () -> {
                    workload.begin();
                    return true;
                },
                null);
        for (int i = 0; i < count; i++) {
            guarded(this::stepOrStop, null);
        }
        guarded(
                () -> {
                    stops.restart();
                    return true;
                },
                null);
    }

    private boolean stepOrStop() {
        int dice = world.random.nextInt(260);
        if (dice < 2) {
            stops.crash();
        } else if (dice < 4) {
            stops.arm();
        } else if (dice < 5) {
            stops.restart();
        } else {
            workload.step();
        }
        return true;
    }

    /** Runs without stops. */
    void runQuietly(int count) {
        guarded(
                () -> {
                    workload.begin();
                    return true;
                },
                null);
        for (int i = 0; i < count; i++) {
            guarded(
                    () -> {
                        workload.step();
                        return true;
                    },
                    null);
        }
    }

    /**
     * The same run as {@link #runQuietly}, but it stops at a crash point; then a restart, some more
     * steps, and another restart: behind a kill with a loss of power, else behind a clean stop.
     *
     * @return whether the run got as far as the crash point
     */
    boolean runToCrash(int count, long point, SimDisk.Phase phase, Stop stop, int more) {
        host.disk().failAt(point, phase);
        boolean isCrashed =
                !guarded(
                        () -> {
                            workload.begin();
                            return true;
                        },
                        stop);
        for (int i = 0; i < count && !isCrashed; i++) {
            isCrashed =
                    !guarded(
                            () -> {
                                workload.step();
                                return true;
                            },
                            stop);
        }
        if (isCrashed) {
            for (int i = 0; i < more; i++) {
                guarded(
                        () -> {
                            workload.step();
                            return true;
                        },
                        null);
            }
            guarded(
                    () -> {
                        endAgain(stop);
                        return true;
                    },
                    null);
        }
        return isCrashed;
    }

    /** What a killed process left unforced and the next built upon must outlive a loss of power. */
    private void endAgain(Stop stop) {
        if (stop == Stop.KILLED) {
            stops.crashed(Stop.POWER_LOSS);
        } else {
            stops.restart();
        }
    }

    private interface Part {
        boolean run();
    }

    /** True if it ran to its end, false if the machine stopped in it and was started again. */
    private boolean guarded(Part part, @Nullable Stop stop) {
        try {
            return part.run();
        } catch (SimCrash e) {
            trace.add(String.valueOf(e.getMessage()));
            boolean isKill = stop == null ? world.chance(40) : stop == Stop.KILLED;
            stops.crashed(isKill ? Stop.KILLED : Stop.POWER_LOSS);
            return false;
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.DISK_FULL) {
                throw new Violation("the broker failed: " + e.getMessage(), e);
            }
            trace.add("the broker stops: " + e.getMessage());
            stops.crashed(Stop.KILLED);
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

    /** Crash points of the running process so far. */
    long points() {
        return host.disk().points();
    }

    long crashes() {
        return stops.crashes();
    }

    long operations() {
        return world.model.count();
    }
}
