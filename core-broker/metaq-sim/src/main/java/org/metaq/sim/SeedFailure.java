package org.metaq.sim;

/** A seed that shows a broken promise; the message tells how to see it again. */
final class SeedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What was run; and the options that run it again. */
    enum Part {
        FILE("--mode file"),
        MODEL("--mode model"),
        XA("--mode xa"),
        SWEEP("--sweep");

        private final String option;

        Part(String option) {
            this.option = option;
        }
    }

    private final long seed;

    private SeedFailure(long seed, String message, Throwable cause) {
        super(message, cause);
        this.seed = seed;
    }

    /** Which. */
    long seed() {
        return seed;
    }

    /**
     * Runs; what is thrown becomes a failure of the seed, with the last lines of the trace.
     *
     * @param where in the run, or empty
     */
    static void guard(long seed, Part part, String where, Trace trace, Runnable run) {
        try {
            run.run();
        } catch (RuntimeException e) {
            throw new SeedFailure(
                    seed,
                    trace.last()
                            + "\nseed "
                            + seed
                            + " "
                            + part
                            + " "
                            + where
                            + ": "
                            + e.getMessage()
                            + "\nreplay with: ./metaq simulate --seed "
                            + seed
                            + " "
                            + part.option,
                    e);
        }
    }
}
