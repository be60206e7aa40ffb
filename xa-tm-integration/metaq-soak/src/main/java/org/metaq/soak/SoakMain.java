package org.metaq.soak;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;
import org.metaq.soak.KillSoak.Result;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Main class of {@code metaq soak}. Exit status: 0 if all was well, 1 if not or if something
 * failed, 2 for a wrong command line.
 */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Moves messages from one broker to another, and their numbers into a database, in"
                        + " transactions of Narayana, while the three processes are killed at random;"
                        + " then counts. Runs until both --minutes and --kills are reached.")
public final class SoakMain implements Callable<Integer> {
    private static final long REPORT_NS = Duration.ofSeconds(10).toNanos();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "At least so long; default 1, or 0 with --kills.")
    private @Nullable Integer minutes;

    @Option(names = "--kills", paramLabel = "N", description = "At least so many; default 0.")
    private @Nullable Integer kills;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the kills' order and times; default: another each time.")
    private long seed = System.nanoTime();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "target/soak-data",
            description =
                    "On the disk to be used, for a folder soak, which is deleted before, and after"
                            + " a run in which all was well. Default ${DEFAULT-VALUE}.")
    private Path data = Path.of("target/soak-data");

    private SoakMain() {}

    /** Runs it and ends the process. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SoakMain()).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        String home = System.getProperty("metaq.home");
        if (home == null) {
            System.err.println("metaq soak: which distribution? Start this as `metaq soak`");
            return 1;
        }
        int killsMin = kills == null ? 0 : kills;
        int minutesMin = minutes != null ? minutes : kills == null ? 1 : 0;
        if (killsMin < 0 || minutesMin < 0) {
            System.err.println("metaq soak: --minutes and --kills must be at least 0");
            return 2;
        }
        System.out.printf(
                "seed %d; at least %d minutes and %d kills%n", seed, minutesMin, killsMin);
        Path directory = data.toAbsolutePath().resolve("soak");
        try {
            delete(directory);
            Files.createDirectories(directory);
            Result result = run(directory, home, killsMin, Duration.ofMinutes(minutesMin));
            System.out.println(result);
            if (result.isOk()) {
                delete(directory);
                return 0;
            }
        } catch (IOException | JMSException | XAException e) {
            System.err.println("metaq soak: " + e);
        }
        System.err.println("metaq soak: its files are in " + directory);
        return 1;
    }

    private Result run(Path directory, String home, int killsMin, Duration time)
            throws IOException, InterruptedException, JMSException, XAException {
        String brokerClassPath = Path.of(home, "lib", "*").toString();
        try (KillSoak soak = new KillSoak(directory, brokerClassPath, seed)) {
            return soak.run(killsMin, time, new Report());
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    /** A line every ten seconds. */
    private static final class Report implements KillSoak.Progress {
        private final long startNs = System.nanoTime();
        private long nextNs = startNs + REPORT_NS;

        @Override
        public void reached(int kills, int transactions) {
            long nowNs = System.nanoTime();
            if (nowNs >= nextNs) {
                nextNs = nowNs + REPORT_NS;
                System.out.printf(
                        "%d s: %d kills, %d transactions%n",
                        Duration.ofNanos(nowNs - startNs).toSeconds(), kills, transactions);
            }
        }
    }
}
