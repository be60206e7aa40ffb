package org.metaq.mdbbench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metaq.container.Trees;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Main class of {@code metaq mdb-bench}. Exit status: 0 if all ran and each message was one row,
 * whatever the rates; 1 if not; 2 for a wrong command line.
 */
@Command(
        name = "mdb-bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Message-driven beans on WildFly: our resource adapter and broker against WildFly's"
                        + " own Artemis, with the same bean that makes a row of each message, in an"
                        + " XA transaction.")
public final class MdbBench implements Callable<Integer> {
    private static final int COUNT_MIN = 200;

    /** As `artemis create` writes it for a disk like ours, and as `metaq bench` has it. */
    static final String BUFFER_NS = "100000";

    @Option(
            names = "--wildfly",
            paramLabel = "DIR",
            required = true,
            description = "An unpacked WildFly, which is only read. In a source tree: the build's.")
    private Path wildfly = Path.of("");

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "After one that is not counted; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "6000",
            description =
                    "In a round with 15 sessions and a backlog; with one session a quarter, with"
                            + " senders half of them. Default ${DEFAULT-VALUE}.")
    private int messages;

    @Option(
            names = "--artemis-buffer-ns",
            paramLabel = "NS",
            defaultValue = BUFFER_NS,
            description =
                    "How long Artemis' journal waits for more before a force; default"
                            + " ${DEFAULT-VALUE}. Artemis' own is 3333333 without libaio.")
    private long artemisBufferNs;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "target",
            description =
                    "On the disk to be used; its directory mdb-bench is deleted before and after."
                            + " Default ${DEFAULT-VALUE}.")
    private Path data = Path.of("target");

    private MdbBench() {}

    /** Runs it and ends the process. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new MdbBench()).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        @Nullable String home = System.getProperty("metaq.home");
        try {
            if (home == null) {
                throw new IOException("which distribution? Start this as `metaq mdb-bench`");
            }
            if (rounds < 1 || messages < COUNT_MIN) {
                throw new IOException(
                        "--rounds must be at least 1, and --messages at least " + COUNT_MIN);
            }
            Path directory = data.toAbsolutePath().resolve("mdb-bench");
            Trees.delete(directory);
            Files.createDirectories(directory);
            Results results;
            try (Site site = Site.start(wildfly, rar(Path.of(home)), artemisBufferNs, directory)) {
                results = run(site, 1, rounds, messages, System.out);
            }
            System.out.print("\n" + results.table());
            Trees.delete(directory);
            return 0;
        } catch (IOException e) {
            System.err.println("metaq mdb-bench: " + e.getMessage());
            return 1;
        }
    }

    private static Path rar(Path home) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("ra"))) {
            return files.filter(file -> file.toString().endsWith(".rar"))
                    .findAny()
                    .orElseThrow(() -> new IOException("no resource adapter in " + home));
        }
    }

    /**
     * Runs all loads with both providers.
     *
     * @param warmUps rounds that are not counted
     * @throws IOException if a message is not one row in the end
     */
    static Results run(Site site, int warmUps, int rounds, int messages, PrintStream out)
            throws IOException, InterruptedException {
        Results results = new Results();
        for (int round = 1 - warmUps; round <= rounds; round++) {
            for (Load load : Load.values()) {
                for (Provider provider : order(round)) {
                    Outcome outcome = site.run(provider, load, load.count(messages));
                    out.printf(
                            Locale.ROOT,
                            "%s: %s, %s: %,.0f/s%n",
                            round > 0 ? "round " + round : "warm-up",
                            load.description(),
                            provider.word(),
                            outcome.ratePerSecond());
                    if (round > 0) {
                        results.add(load, provider, outcome);
                    }
                }
            }
        }
        return results;
    }

    /** Who is first takes turns. */
    private static List<Provider> order(int round) {
        List<Provider> order = new ArrayList<>(List.of(Provider.values()));
        if (round % 2 == 0) {
            Collections.reverse(order);
        }
        return order;
    }
}
