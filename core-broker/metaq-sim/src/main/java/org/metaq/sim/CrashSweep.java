package org.metaq.sim;

import java.util.function.UnaryOperator;
import org.metaq.sim.Model.Stop;

/**
 * A short workload, once without a crash to count the crash points, then once for each of them: the
 * machine stops there, starts, is compared with the model, and goes on for a while.
 */
final class CrashSweep {
    private static final int STEPS_AFTER = 15;

    private final long seed;
    private final int steps;
    private final UnaryOperator<SimOptions> plant;
    private long crashes;
    private long operations;

    CrashSweep(long seed, int steps, UnaryOperator<SimOptions> plant) {
        this.seed = seed;
        this.steps = steps;
        this.plant = plant;
    }

    /** Stops so far. */
    long crashes() {
        return crashes;
    }

    /** Operations of all runs so far. */
    long operations() {
        return operations;
    }

    /**
     * Visits every {@code stride}-th crash point, each in one phase and with one kind of stop,
     * which take turns; with a stride of 1 at least every point is visited with a loss of power.
     *
     * @throws SeedFailure if a run fails
     */
    void run(int stride) {
        Simulation quiet = new Simulation(seed, plant);
        SeedFailure.guard(
                seed, SeedFailure.Part.SWEEP, "", quiet.trace(), () -> quiet.runQuietly(steps));
        long points = quiet.points();
        SimDisk.Phase[] phases = SimDisk.Phase.values();
        for (long point = 1; point <= points; point += stride) {
            int turn = (int) (point / stride);
            visit(point, phases[turn % phases.length], Stop.POWER_LOSS);
            visit(point, phases[(turn + 1) % phases.length], Stop.KILLED);
        }
    }

    private void visit(long point, SimDisk.Phase phase, Stop stop) {
        Simulation run = new Simulation(seed, plant);
        SeedFailure.guard(
                seed,
                SeedFailure.Part.SWEEP,
                stop + " " + phase + " crash point " + point,
                run.trace(),
                () -> {
                    if (!run.runToCrash(steps, point, phase, stop, STEPS_AFTER)) {
                        throw new Violation("the run is not deterministic: no point " + point);
                    }
                });
        crashes += run.crashes();
        operations += run.operations();
    }
}
