package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Main class of {@code metaq bench}. Exit status: 0 if all ran and no message was lost or doubled,
 * whatever the rates; 1 if something failed; 2 for a wrong command line.
 */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Runs the same workloads against this broker and another one in turn, each in JVMs"
                        + " of its own, with equal durability.")
public final class BenchMain implements Callable<Integer> {
    /** A broker to compare with. */
    enum Peer {
        /** Apache ActiveMQ Artemis. */
        artemis,
        /** Ours alone. */
        none
    }

    @Option(
            names = "--workloads",
            split = ",",
            paramLabel = "W",
            defaultValue = "W1,W2",
            description = "Of ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private List<Workload> workloads = List.of();

    @Option(
            names = "--peer",
            paramLabel = "PEER",
            defaultValue = "artemis",
            description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private Peer peer = Peer.artemis;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds, each with fresh brokers; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warmup-seconds",
            paramLabel = "S",
            defaultValue = "8",
            description = "Before each measured time; default ${DEFAULT-VALUE}.")
    private double warmUpSeconds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "5",
            description = "Measured time of each workload; default ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--quick", description = "2 rounds, 4 s of warm-up, 3 s measured.")
    private boolean isQuick;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "target/bench.json",
            description = "Results as JSON; default ${DEFAULT-VALUE}.")
    private Path out = Path.of("target/bench.json");

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "target/bench-data",
            description = "On the disk to be measured; default ${DEFAULT-VALUE}.")
    private Path data = Path.of("target/bench-data");

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            defaultValue = "target/peers",
            description = "Where the jars of peers are kept; default ${DEFAULT-VALUE}.")
    private Path peers = Path.of("target/peers");

    @Option(
            names = "--broker-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description = "Further options of the JVMs of the brokers, such as a flight recording.")
    private String brokerOptions = "";

    @Option(
            names = "--client-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description = "Further options of the JVMs of the clients.")
    private String clientOptions = "";

    private BenchMain() {}

    /** Runs the comparison and ends the process. */
    public static void main(String[] args) {
        CommandLine line = new CommandLine(new BenchMain());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(line.execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        if (isQuick) {
            rounds = 2;
            warmUpSeconds = 4;
            seconds = 3;
        }
        try {
            return compare() ? 0 : 1;
        } catch (BenchException e) {
            System.err.println("metaq bench: " + e.getMessage());
        } catch (IOException e) {
            System.err.println("metaq bench: " + e);
        }
        return 1;
    }

    private boolean compare() throws BenchException, InterruptedException, IOException {
        Files.createDirectories(data.toAbsolutePath());
        Path directory = data.toRealPath();
        List<Provider> providers = providers();
        Map<String, String> settings = settings(providers, directory);
        settings.forEach((name, value) -> System.out.println(name + ": " + value));
        workloads.forEach(w -> System.out.println(w + ": " + w.description()));
        Round round =
                new Round(
                        new Round.Plan(
                                workloads, warmUpSeconds, seconds, words(clientOptions), directory),
                        System.out);
        Results results = new Results();
        for (int i = 1; i <= rounds; i++) {
            for (Provider provider : providers) {
                String label = "round " + i + "/" + rounds + " " + provider.name();
                round.run(provider, label)
                        .forEach(measurement -> results.add(provider.name(), measurement));
            }
        }
        System.out.println();
        System.out.print(Table.of(results, providers.get(0).name()));
        write(JsonReport.of(settings, results));
        if (!results.isComplete()) {
            System.err.println("metaq bench: messages were lost or doubled");
        }
        return results.isComplete();
    }

    private List<Provider> providers() throws BenchException, InterruptedException {
        @Nullable String home = System.getProperty("metaq.home");
        if (home == null) {
            throw new BenchException("which distribution? Start this as `metaq bench`");
        }
        List<Provider> providers = new ArrayList<>();
        providers.add(new MetaQProvider(Path.of(home), words(brokerOptions)));
        if (peer == Peer.artemis) {
            providers.add(new ArtemisProvider(peers.toAbsolutePath(), words(brokerOptions)));
        }
        return providers;
    }

    private Map<String, String> settings(List<Provider> providers, Path directory)
            throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        providers.forEach(
                provider -> settings.put(provider.name() + " durability", provider.durability()));
        String fileSystem = Files.getFileStore(directory).type();
        settings.put(
                "disk",
                fileSystem + (fileSystem.equals("tmpfs") ? " (memory: forces cost nothing!)" : ""));
        settings.put(
                "machine",
                Runtime.getRuntime().availableProcessors()
                        + " processors, "
                        + System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.version")
                        + ", Java "
                        + System.getProperty("java.version"));
        settings.put(
                "JVMs",
                "brokers "
                        + String.join(" ", Jvm.BROKER_HEAP)
                        + " "
                        + brokerOptions
                        + "; clients "
                        + String.join(" ", Jvm.CLIENT_HEAP)
                        + " "
                        + clientOptions);
        settings.put(
                "times",
                rounds
                        + " rounds, "
                        + warmUpSeconds
                        + " s of warm-up and "
                        + seconds
                        + " s measured per workload");
        return settings;
    }

    private void write(String json) throws IOException {
        Path file = out.toAbsolutePath();
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(file, json);
        System.out.println("all rounds: " + out);
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
    }
}
