package org.metaq.sim;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Runs seeds and counts. Single-threaded; a seed says everything. */
final class SimulationRunner {
    /** What is simulated. */
    enum Mode {
        /** The broker over the file journal on a simulated disk. */
        FILE,
        /** The broker over the model of a replicated journal. */
        MODEL,
        /** Two brokers on simulated disks, and transaction managers, over a simulated network. */
        XA,
        /** All of these. */
        ALL
    }

    /** Steps of a run. */
    static final int STEPS = 300;

    /** Steps of a run of two brokers and their managers: each is a small one. */
    static final int XA_STEPS = 2000;

    /** Steps of the workload of a crash sweep. */
    static final int SWEEP_STEPS = 100;

    /** Of so many seeds one gets a crash sweep as well. */
    private static final int SWEEP_PERIOD = 100;

    private static final int PROGRESS_PERIOD = 50;

    private final Mode mode;
    private final Consumer<String> progress;
    private long seeds;
    private long crashes;
    private long operations;

    /**
     * Has run nothing.
     *
     * @param progress gets a line now and then
     */
    SimulationRunner(Mode mode, Consumer<String> progress) {
        this.mode = mode;
        this.progress = progress;
    }

    /**
     * Runs consecutive seeds; a sweep comes with some of them.
     *
     * @throws SeedFailure for the first that fails
     */
    void run(long from, long count) {
        for (long seed = from; seed < from + count; seed++) {
            runSeed(seed);
            if (runs(Mode.FILE) && seed % SWEEP_PERIOD == 0) {
                sweep(seed);
            }
            if (++seeds % PROGRESS_PERIOD == 0) {
                progress.accept(
                        seeds
                                + " of "
                                + count
                                + " seeds, "
                                + crashes
                                + " crashes, "
                                + operations
                                + " operations");
            }
        }
    }

    /** Runs crash sweeps alone. */
    void sweeps(long from, long count) {
        for (long seed = from; seed < from + count; seed++) {
            sweep(seed);
            seeds++;
            progress.accept("swept seed " + seed + ", " + crashes + " crashes");
        }
    }

    private void runSeed(long seed) {
        if (runs(Mode.FILE)) {
            runFile(seed, options -> options);
        }
        if (runs(Mode.XA)) {
            runXa(seed, XaSimulation.Fault.NONE);
        }
        if (runs(Mode.MODEL)) {
            ReplicaSimulation run = new ReplicaSimulation(seed);
            SeedFailure.guard(seed, SeedFailure.Part.MODEL, "", run.trace(), () -> run.run(STEPS));
            crashes += run.changes();
            operations += run.operations();
        }
    }

    private boolean runs(Mode what) {
        return mode == what || mode == Mode.ALL;
    }

    /** One seed of two brokers and their transaction managers, perhaps with a planted fault. */
    void runXa(long seed, XaSimulation.Fault fault) {
        XaSimulation run = new XaSimulation(seed, fault);
        SeedFailure.guard(seed, SeedFailure.Part.XA, "", run.trace(), () -> run.run(XA_STEPS));
        crashes += run.crashes();
        operations += run.transactions();
    }

    /** One seed over the file journal, with planted faults. */
    void runFile(long seed, UnaryOperator<SimOptions> plant) {
        Simulation run = new Simulation(seed, plant);
        SeedFailure.guard(seed, SeedFailure.Part.FILE, "", run.trace(), () -> run.run(STEPS));
        crashes += run.crashes();
        operations += run.operations();
    }

    private void sweep(long seed) {
        CrashSweep sweep = new CrashSweep(seed, SWEEP_STEPS, options -> options);
        sweep.run(1);
        crashes += sweep.crashes();
        operations += sweep.operations();
    }

    /** One line. */
    String summary() {
        return "simulation OK: "
                + seeds
                + " seeds, "
                + crashes
                + " crashes, "
                + operations
                + " operations";
    }
}
