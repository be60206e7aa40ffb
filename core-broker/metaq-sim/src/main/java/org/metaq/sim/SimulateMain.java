package org.metaq.sim;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code metaq simulate}: runs seeds, ends with one line. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description =
                "Runs simulated brokers under seeded workloads and crashes, and checks that they"
                        + " keep their promises.")
public final class SimulateMain implements Callable<Integer> {
    @Option(names = "--seeds", description = "how many seeds (default: ${DEFAULT-VALUE})")
    private long seeds = 200;

    @Option(names = "--from", description = "first seed (default: ${DEFAULT-VALUE})")
    private long from = 1;

    @Option(names = "--seed", description = "only this seed")
    private @Nullable Long seed;

    @Option(
            names = "--mode",
            description =
                    "file: the file journal on a simulated disk; model: a model of a replicated"
                            + " journal; xa: two brokers and transaction managers over a network;"
                            + " all: each of them (default: ${DEFAULT-VALUE})")
    private String mode = "all";

    @Option(
            names = "--sweep",
            description = "crash at every write and force of a short workload of each seed")
    private boolean isSweep;

    private SimulateMain() {}

    @Override
    public Integer call() {
        SimulationRunner.Mode what = SimulationRunner.Mode.valueOf(mode.toUpperCase(Locale.ROOT));
        SimulationRunner runner = new SimulationRunner(what, System.out::println);
        Long only = seed;
        long first = only == null ? from : only;
        long count = only == null ? seeds : 1;
        try {
            if (isSweep) {
                runner.sweeps(first, count);
            } else {
                runner.run(first, count);
            }
        } catch (SeedFailure e) {
            System.out.println(e.getMessage());
            System.out.println("simulation FAILED: seed " + e.seed());
            return 1;
        }
        System.out.println(runner.summary());
        return 0;
    }

    /** Exit status 0: nothing found; 1: a broken promise; 2: bad arguments. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SimulateMain()).execute(args));
    }
}
