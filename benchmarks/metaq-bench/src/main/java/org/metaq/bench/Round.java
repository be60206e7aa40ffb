package org.metaq.bench;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** One provider's turn: a fresh broker, a fresh client, all workloads. */
final class Round {
    private static final long CLIENT_SILENCE_MS = 240_000;

    private final Plan plan;
    private final PrintStream progress;

    Round(Plan plan, PrintStream progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * What is run in every round.
     *
     * @param workloads in this order
     * @param warmUpSeconds before each measured time
     * @param seconds measured
     * @param clientOptions further options of the client's JVM
     * @param data directory below which brokers store
     */
    record Plan(
            List<Workload> workloads,
            double warmUpSeconds,
            double seconds,
            List<String> clientOptions,
            Path data) {}

    /**
     * Runs it. What the broker stored is deleted if all went well, and kept else.
     *
     * @param label of the round, for people
     */
    List<Measurement> run(Provider provider, String label)
            throws BenchException, InterruptedException, IOException {
        Path directory = Files.createTempDirectory(plan.data(), provider.name() + "-");
        List<Measurement> measurements;
        Provider.Broker broker = provider.start(directory);
        try (ForkedProcess process = broker.process()) {
            List<String> command = clientCommand(provider, broker.uri(), process.pid());
            try (ForkedProcess client =
                    ForkedProcess.start(
                            "client of " + provider.name(),
                            command,
                            directory.resolve("client.log"),
                            Map.of())) {
                measurements = follow(client, label);
            }
        }
        delete(directory);
        return measurements;
    }

    private List<Measurement> follow(ForkedProcess client, String label)
            throws BenchException, InterruptedException {
        List<Measurement> measurements = new ArrayList<>();
        while (true) {
            Optional<String> line = client.nextLine(CLIENT_SILENCE_MS);
            if (line.isEmpty()) {
                client.awaitSuccess();
                return measurements;
            }
            String text = line.get();
            if (text.startsWith(ClientMain.BEGIN)) {
                progress.println(
                        label + ": " + text.substring(ClientMain.BEGIN.length()) + " runs...");
            } else if (text.startsWith(ClientMain.RESULT)) {
                Measurement measurement =
                        Measurement.parse(text.substring(ClientMain.RESULT.length()));
                measurements.add(measurement);
                progress.println(label + ": " + summary(measurement));
            }
        }
    }

    private static String summary(Measurement measurement) {
        String text =
                String.format(
                        Locale.ROOT,
                        "%s %,.0f messages/s, p50 %.2f ms, p99 %.2f ms",
                        measurement.name(),
                        measurement.value(Metric.RATE),
                        measurement.value(Metric.P50_US) / 1e3,
                        measurement.value(Metric.P99_US) / 1e3);
        if (measurement.isComplete()) {
            return text;
        }
        return text
                + String.format(
                        Locale.ROOT,
                        "; WRONG: %.0f lost, %.0f doubled",
                        measurement.value(Metric.LOST),
                        measurement.value(Metric.DOUBLED));
    }

    private List<String> clientCommand(Provider provider, String uri, long brokerPid)
            throws BenchException {
        String classPath =
                String.join(
                        File.pathSeparator,
                        provider.clientClassPath(),
                        Jvm.origin(ClientMain.class).toString(),
                        Jvm.origin(Histogram.class).toString());
        return Stream.of(
                        Jvm.command(
                                Jvm.CLIENT_HEAP, plan.clientOptions(), classPath, ClientMain.class),
                        List.of(
                                provider.factoryClass(),
                                uri,
                                Long.toString(brokerPid),
                                Double.toString(plan.warmUpSeconds()),
                                Double.toString(plan.seconds())),
                        plan.workloads().stream().map(Workload::name).toList())
                .flatMap(List::stream)
                .toList();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
