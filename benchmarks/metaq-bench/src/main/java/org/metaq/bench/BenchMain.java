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
    private static final int QUICK_BACKLOG_COUNT = 100_000;

    @Option(
            names = "--workloads",
            split = ",",
            paramLabel = "W",
            description = "Names, or beginnings of names such as W5; default all. See --list.")
    private List<String> workloads = List.of();

    @Option(names = "--list", description = "Tells what the workloads are, and runs nothing.")
    private boolean isList;

    @Option(
            names = "--peer",
            split = ",",
            paramLabel = "PEER",
            defaultValue = "artemis",
            description = "artemis, or none; default ${DEFAULT-VALUE}.")
    private List<String> peerNames = List.of();

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

    @Option(
            names = "--jvm-warmup-seconds",
            paramLabel = "S",
            defaultValue = "10",
            description = "Before the first workload of a round; default ${DEFAULT-VALUE}.")
    private double warmUpJvmSeconds;

    @Option(
            names = "--w9-messages",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Messages of the backlog of W9; default ${DEFAULT-VALUE}.")
    private int backlogCount;

    @Option(
            names = "--quick",
            description = "1 round, 2 s of warm-up, 2 s measured, 100,000 messages in W9.")
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
            names = "--broker-heap",
            paramLabel = "OPTIONS",
            defaultValue = "-Xms64m -Xmx256m",
            description = "Memory of our broker; default ${DEFAULT-VALUE}.")
    private String brokerHeap = "";

    @Option(
            names = "--peer-heap",
            paramLabel = "OPTIONS",
            defaultValue = "-Xms512m -Xmx2g",
            description = "Memory of the brokers of peers; default ${DEFAULT-VALUE}.")
    private String peerHeap = "";

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
        if (isList) {
            Selection.all().forEach((name, what) -> System.out.println(name + ": " + what));
            return 0;
        }
        if (isQuick) {
            rounds = 1;
            warmUpSeconds = 2;
            seconds = 2;
            warmUpJvmSeconds = 5;
            backlogCount = Math.min(backlogCount, QUICK_BACKLOG_COUNT);
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
        Plan plan = plan(directory);
        plan.workloads().forEach(w -> System.out.println(w + ": " + Selection.all().get(w)));
        Results results = new Results(Selection.rows(plan.workloads()));
        Map<String, Double> weights = new LinkedHashMap<>();
        plan.workloads().forEach(w -> weights.put(w, Selection.expectedSeconds(w, plan)));
        Progress progress = new Progress(System.out, weights, rounds * providers.size());
        for (int i = 1; i <= rounds; i++) {
            progress.round(i, rounds);
            for (Provider provider : providers) {
                new Round(plan, results, progress).run(provider);
            }
        }
        String ours = providers.get(0).name();
        System.out.println();
        System.out.print(Table.of(results, ours));
        write(JsonReport.of(settings, results));
        if (!results.isComplete(ours)) {
            System.err.println("metaq bench: a workload failed, or messages were lost or doubled");
        }
        return results.isComplete(ours);
    }

    private Plan plan(Path directory) throws BenchException, InterruptedException {
        List<String> chosen = Selection.of(workloads);
        return new Plan(
                chosen,
                warmUpJvmSeconds,
                warmUpSeconds,
                seconds,
                backlogCount,
                words(clientOptions),
                Selection.needsManager(chosen)
                        ? PeerJars.classPath(
                                PeerJars.folder(
                                        "narayana", "narayana-pom.xml", peers.toAbsolutePath()))
                        : "",
                directory);
    }

    private List<Provider> providers() throws BenchException, InterruptedException {
        @Nullable String home = System.getProperty("metaq.home");
        if (home == null) {
            throw new BenchException("which distribution? Start this as `metaq bench`");
        }
        List<Provider> providers = new ArrayList<>();
        providers.add(new MetaQProvider(Path.of(home), (brokerHeap + " " + brokerOptions).strip()));
        for (String peer : peerNames) {
            switch (peer) {
                case "artemis" ->
                        providers.add(
                                new ArtemisProvider(
                                        peers.toAbsolutePath(),
                                        words(peerHeap + " " + brokerOptions)));
                case "none" -> {}
                default ->
                        throw new BenchException(
                                "no peer is called " + peer + "; there are artemis and none");
            }
        }
        return providers;
    }

    private Map<String, String> settings(List<Provider> providers, Path directory)
            throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (Provider provider : providers) {
            settings.put(provider.name() + " durability", provider.durability());
            settings.put(provider.name() + " broker", provider.brokerOptions());
        }
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
        settings.put("clients", (String.join(" ", Jvm.CLIENT_HEAP) + " " + clientOptions).strip());
        settings.put(
                "times",
                rounds
                        + " rounds, each with fresh brokers and clients; "
                        + warmUpJvmSeconds
                        + " s of warm-up before the first workload, then "
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
