package org.metaq.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metaq.bench.BenchException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Main class of {@code metaq scale}. Exit status: 0 if all limits were kept, 1 if not or if
 * something failed, 2 for a wrong command line.
 */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Runs a broker with large numbers of queues, connections, sessions, messages and"
                        + " consumers, in bounded memory. Needs Linux and a JDK.")
public final class ScaleMain implements Callable<Integer> {
    private static final String BROKER_OPTIONS = "-Xmx256m";
    private static final List<String> CLIENT_OPTIONS =
            List.of("-Xmx512m", "-XX:MaxDirectMemorySize=1g");

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description = "Scenarios, of ${COMPLETION-CANDIDATES}; default all.")
    private List<Scenario> only = List.of(Scenario.values());

    @Option(
            names = "--factor",
            paramLabel = "F",
            defaultValue = "1",
            description = "Of all counts; below 1 no rate fails. Default ${DEFAULT-VALUE}.")
    private double factor;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Of a message of the backlog; default ${DEFAULT-VALUE}.")
    private int messageLength;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "target/scale-data",
            description = "On the disk to be used; default ${DEFAULT-VALUE}.")
    private Path data = Path.of("target/scale-data");

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "target/scale.json",
            description = "Results as JSON; default ${DEFAULT-VALUE}.")
    private Path out = Path.of("target/scale.json");

    @Option(
            names = "--broker-options",
            paramLabel = "OPTIONS",
            defaultValue = BROKER_OPTIONS,
            description = "Of the broker's JVM; default ${DEFAULT-VALUE}.")
    private String brokerOptions = BROKER_OPTIONS;

    private ScaleMain() {}

    /** Runs the scenarios and ends the process. */
    public static void main(String[] args) {
        CommandLine line = new CommandLine(new ScaleMain());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(line.execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        @Nullable String home = System.getProperty("metaq.home");
        try {
            if (home == null) {
                throw new BenchException("which distribution? Start this as `metaq scale`");
            }
            if (!(factor > 0) || messageLength < 1) {
                throw new BenchException("--factor must be above 0, and --size at least 1");
            }
            return runAll(home) ? 0 : 1;
        } catch (BenchException e) {
            System.err.println("metaq scale: " + e.getMessage());
        } catch (IOException e) {
            System.err.println("metaq scale: " + e);
        }
        return 1;
    }

    private boolean runAll(String home) throws IOException, InterruptedException {
        Map<String, String> settings = settings();
        settings.forEach((name, value) -> System.out.println(name + ": " + value));
        Results results = new Results(settings, new EnumMap<>(Scenario.class), new ArrayList<>());
        for (Scenario scenario : only) {
            System.out.println(scenario.word() + ": " + scenario.description());
            List<Measure> measures = new ArrayList<>();
            if (!runScenario(scenario, home, measures)) {
                results.failed().add(scenario);
            }
            results.measures().put(scenario, measures);
        }
        System.out.println();
        System.out.print(results.table());
        Path file = out.toAbsolutePath();
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(file, results.json());
        System.out.println("all of it: " + out);
        return results.isPassed();
    }

    /** Returns whether it ran to its end; then its data is deleted. */
    private boolean runScenario(Scenario scenario, String home, List<Measure> measures)
            throws IOException, InterruptedException {
        Path directory = data.toAbsolutePath().resolve(scenario.word());
        delete(directory);
        Files.createDirectories(directory);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(CLIENT_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(ScenarioMain.class.getName());
        command.add(scenario.name());
        command.add(Double.toString(factor));
        command.add(Integer.toString(messageLength));
        command.add(directory.toString());
        command.add(home);
        command.add(brokerOptions);
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<Measure> measure = Measure.ofLine(line);
                measure.ifPresent(measures::add);
                System.out.println(
                        "  " + measure.map(m -> m.name() + ": " + m.valueText()).orElse(line));
            }
        }
        boolean hasEnded = process.waitFor() == 0;
        if (hasEnded) {
            delete(directory);
        }
        return hasEnded;
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("factor", Double.toString(factor));
        settings.put("broker", brokerOptions);
        settings.put("clients", String.join(" ", CLIENT_OPTIONS));
        settings.put(
                "machine",
                Runtime.getRuntime().availableProcessors()
                        + " processors, "
                        + System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.version")
                        + ", Java "
                        + System.getProperty("java.version"));
        return settings;
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> all = Files.walk(directory)) {
            found = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : found) {
            Files.delete(each);
        }
    }
}
