package org.metaq.sim;

/** A seed that shows a broken promise; the message tells how to see it again. */
final class SeedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long seed;

    private SeedFailure(long seed, String message, Throwable cause) {
        super(message, cause);
        this.seed = seed;
    }

    long seed() {
        return seed;
    }

    /** Runs; whatever is thrown becomes a failure of the seed, with the trace's last lines. */
    static void guard(long seed, String what, Simulation simulation, Runnable run) {
        guard(seed, what, simulation.trace(), run);
    }

    static void guard(long seed, String what, Trace trace, Runnable run) {
        try {
            run.run();
        } catch (RuntimeException e) {
            String option = what.startsWith("sweep") ? " --sweep" : what.startsWith("model") ? " --mode model" : " --mode file";
            throw new SeedFailure(
                    seed,
                    "seed "
                            + seed
                            + " ("
                            + what
                            + "): "
                            + e.getMessage()
                            + "\nreplay with: ./metaq simulate --seed "
                            + seed
                            + option
                            + "\nlast steps:\n"
                            + trace.last(),
                    e);
        }
    }
}
