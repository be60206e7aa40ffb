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
    private static final int QUICK_BACKLOG_COUNT = 50_000;

    /** Recorded ratios, in a distribution. */
    private static final String RECORDED = "docs/performance-ratios.txt";

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
            description =
                    "artemis, activemq, metaq-1.4.6.2 (its own server, for the workloads of its"
                            + " client), or none; default ${DEFAULT-VALUE}.")
    private List<String> peerNames = List.of();

    @Option(
            names = "--provider",
            paramLabel = "NAME=VALUE,...",
            description = {
                "Any other provider, may be repeated: name=NAME,class-path=JARS,factory=CLASS,",
                "uri=URI[,xa-factory=CLASS][,pid=PID][,command=COMMAND][,durability=TEXT].",
                "The factory has a constructor that takes the URI. A command starts the broker,",
                "with {data} for its directory; without one it must be running."
            })
    private List<String> others = List.of();

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
            defaultValue = "35",
            description =
                    "Of all kinds of traffic, before the first workload of each client; default"
                            + " ${DEFAULT-VALUE}.")
    private double warmUpJvmSeconds;

    @Option(
            names = "--w9-messages",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Messages of the backlog of W9; default ${DEFAULT-VALUE}.")
    private int backlogCount;

    @Option(
            names = "--quick",
            description =
                    "1 round; 12 s of warm-up of each client, then 1.5 s before and 1.5 s for each"
                            + " workload; 50,000 messages in W9.")
    private boolean isQuick;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "target/bench.json",
            description = "Results as JSON; default ${DEFAULT-VALUE}.")
    private Path out = Path.of("target/bench.json");

    @Option(
            names = "--check",
            arity = "0..1",
            paramLabel = "FILE",
            fallbackValue = RECORDED,
            description =
                    "Fails if ratios are clearly worse than the recorded ones; default those of"
                            + " the distribution.")
    private @Nullable Path check;

    @Option(
            names = "--check-rate",
            paramLabel = "X",
            defaultValue = "0.75",
            description = "Lowest share of a recorded ratio of rates; default ${DEFAULT-VALUE}.")
    private double rateTolerance;

    @Option(
            names = "--check-p99",
            paramLabel = "X",
            defaultValue = "1.5",
            description =
                    "Highest multiple of a recorded ratio of p99 latencies; default"
                            + " ${DEFAULT-VALUE}.")
    private double latencyTolerance;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Writes the ratios, for --check.")
    private @Nullable Path record;

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
            defaultValue = "-Xms64m -Xmx256m -XX:MaxNewSize=128m",
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
            warmUpSeconds = 1.5;
            seconds = 1.5;
            warmUpJvmSeconds = 12;
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
        @Nullable Ratios recorded = check == null ? null : Ratios.read(recordedFile(check));
        Contestants contestants = contestants();
        Plan plan = plan(directory);
        Map<String, String> settings = settings(contestants, directory);
        settings.forEach((name, value) -> System.out.println(name + ": " + value));
        plan.workloads().forEach(w -> System.out.println(w + ": " + Selection.all().get(w)));
        Results results = run(plan, contestants);
        String ours = contestants.ours();
        report(settings, results, ours);
        if (!results.isComplete(ours)) {
            System.err.println("metaq bench: a workload failed, or messages were lost or doubled");
        }
        return checkRatios(Ratios.of(results, ours), recorded) && results.isComplete(ours);
    }

    private Results run(Plan plan, Contestants contestants)
            throws InterruptedException, IOException {
        Results results = new Results(Selection.rows(plan.workloads()));
        Map<String, Double> seconds = new LinkedHashMap<>();
        plan.workloads().forEach(name -> seconds.put(name, Selection.expectedSeconds(name, plan)));
        double total = 0;
        for (Map.Entry<String, Double> entry : seconds.entrySet()) {
            total += entry.getValue() * rounds * contestants.count(entry.getKey());
        }
        double warmUp = Selection.expectedSeconds(WarmUp.NAME, plan);
        seconds.put(WarmUp.NAME, warmUp);
        total += warmUp * rounds * contestants.warmUps(plan.workloads());
        Progress progress = new Progress(System.out, seconds, total);
        for (int i = 1; i <= rounds; i++) {
            progress.round(i, rounds);
            for (Provider provider : Contestants.inRound(i, contestants.providers())) {
                new Round(plan, results, progress).run(provider);
            }
            for (Server server : Contestants.inRound(i, contestants.classic())) {
                new Round(plan, results, progress).runClassic(server);
            }
        }
        return results;
    }

    private void report(Map<String, String> settings, Results results, String ours)
            throws IOException {
        List<Bar.Verdict> verdicts = Bar.judge(Bar.all(), results, ours);
        System.out.println();
        System.out.print(Table.of(results, ours, verdicts));
        Path json = out.toAbsolutePath();
        Files.createDirectories(json.resolveSibling(""));
        Files.writeString(json, JsonReport.of(settings, results));
        Path html =
                json.resolveSibling(
                        out.getFileName().toString().replaceFirst("\\.json$", "") + ".html");
        Files.writeString(html, HtmlReport.of(settings, Selection.all(), results, ours, verdicts));
        System.out.println("all rounds: " + json + "; charts: " + html);
    }

    /** Writes the ratios, and compares them with recorded ones, where that was asked for. */
    private boolean checkRatios(Ratios ratios, @Nullable Ratios recorded) throws IOException {
        if (record != null) {
            ratios.write(record);
            System.out.println("ratios: " + record);
        }
        if (recorded == null) {
            return true;
        }
        List<String> regressions =
                ratios.regressionsFrom(
                        recorded, new Ratios.Tolerance(rateTolerance, latencyTolerance));
        System.out.println(
                ratios.comparedWith(recorded)
                        + " of "
                        + recorded.values().size()
                        + " recorded ratios were compared, clearly worse: "
                        + regressions.size());
        regressions.forEach(line -> System.err.println("metaq bench: worse: " + line));
        return regressions.isEmpty();
    }

    private Plan plan(Path directory) throws BenchException, InterruptedException {
        List<String> chosen = new ArrayList<>(Selection.of(workloads));
        if (workloads.isEmpty() && peerNames.contains(OriginalServer.NAME)) {
            chosen.addAll(Selection.of(List.of(Selection.CLASSIC)));
        }
        return new Plan(
                chosen,
                warmUpJvmSeconds,
                warmUpSeconds,
                seconds,
                backlogCount,
                words(clientOptions),
                Selection.needsManager(chosen)
                        ? PeerJars.classPath(PeerJars.folder("narayana", peers.toAbsolutePath()))
                        : "",
                Selection.needsClassic(chosen)
                        ? PeerJars.classPath(
                                PeerJars.folder(OriginalServer.NAME, peers.toAbsolutePath()))
                        : "",
                directory);
    }

    private static Path recordedFile(Path given) {
        boolean isDefault = given.equals(Path.of(RECORDED)) && !Files.exists(given);
        return isDefault ? Path.of(System.getProperty("metaq.home", ""), RECORDED) : given;
    }

    private Contestants contestants() throws BenchException, InterruptedException {
        @Nullable String home = System.getProperty("metaq.home");
        if (home == null) {
            throw new BenchException("which distribution? Start this as `metaq bench`");
        }
        return Contestants.of(
                new Contestants.Setup(
                        Path.of(home),
                        peers.toAbsolutePath(),
                        (brokerHeap + " " + brokerOptions).strip(),
                        words(peerHeap + " " + brokerOptions)),
                peerNames,
                others);
    }

    private Map<String, String> settings(Contestants contestants, Path directory)
            throws IOException {
        Map<String, String> settings = contestants.settings();
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

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
    }
}
