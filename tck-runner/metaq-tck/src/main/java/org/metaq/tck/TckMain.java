package org.metaq.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Main class of {@code metaq tck}. Exit status: 0 if all tests passed and none was excluded; 1 if
 * not, or if the run could not be carried out; 2 for a wrong command line.
 */
@Command(
        name = "tck",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Runs the official Jakarta Messaging TCK, which is not part of this, against brokers"
                        + " that it starts. docs/conformance.md tells where to get it.")
public final class TckMain implements Callable<Integer> {
    private static final long TEST_LIMIT_MS = 180_000;

    @Option(
            names = "--tck",
            required = true,
            paramLabel = "JAR_OR_FOLDER",
            description = "The TCK's test jar, or a folder with it and the jars it needs.")
    private Path tck = Path.of("");

    @Option(
            names = "--include",
            split = ",",
            paramLabel = "PATTERN",
            description =
                    "Only tests whose name (such as core.queuetests.QueueTestsIT.autoAckQueueTest)"
                            + " matches: * stands for anything; without one, a part is enough.")
    private List<String> include = List.of();

    @Option(
            names = "--timeout-ms",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "How long a test waits for a message (jms_timeout of the TCK); default"
                            + " ${DEFAULT-VALUE}.")
    private int timeoutMs;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "4",
            description =
                    "Brokers, each with a JVM of tests, that share the work; default"
                            + " ${DEFAULT-VALUE}.")
    private int shards;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            defaultValue = "target/tck-report",
            description = "Where the report goes; default ${DEFAULT-VALUE}.")
    private Path report = Path.of("target/tck-report");

    private TckMain() {}

    /** Runs the TCK and ends the process. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new TckMain()).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        if (timeoutMs < 1 || shards < 1) {
            System.err.println("metaq tck: --timeout-ms and --shards must be at least 1");
            return CommandLine.ExitCode.USAGE;
        }
        try {
            return run() ? 0 : 1;
        } catch (TckException e) {
            System.err.println("metaq tck: " + e.getMessage());
        } catch (IOException e) {
            System.err.println("metaq tck: cannot write the report: " + e);
        }
        return 1;
    }

    private boolean run() throws TckException, InterruptedException, IOException {
        long startTimeNs = System.nanoTime();
        RunSettings settings =
                new RunSettings(
                        Distribution.own(),
                        TckFiles.find(tck),
                        timeoutMs,
                        shards,
                        TEST_LIMIT_MS,
                        report.toAbsolutePath().normalize());
        TestFilter filter = new TestFilter(include);
        Exclusions exclusions = Exclusions.read(settings.distribution().exclusions());
        TckRun run = new TckRun(settings, filter, exclusions, System.out);
        List<TestResult> results = run.run();
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startTimeNs);
        Summary summary =
                new Summary(facts(settings, seconds), results, run.excluded(), !filter.isAll());
        String table = MarkdownReport.of(summary);
        Files.writeString(settings.report().resolve("summary.md"), table);
        Files.writeString(settings.report().resolve("summary.json"), JsonReport.of(summary));
        JunitXmlReport.write(summary, settings.report().resolve("junit"));
        System.out.println();
        System.out.print(table);
        System.out.println();
        System.out.println("report: " + report);
        return summary.isSuccess();
    }

    private Map<String, String> facts(RunSettings settings, long seconds) {
        @Nullable String version = TckMain.class.getPackage().getImplementationVersion();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("MetaQ JMS", version == null ? "not packaged" : version);
        facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        facts.put(
                "TCK",
                settings.tck().jars().stream()
                        .map(jar -> String.valueOf(jar.getFileName()))
                        .filter(name -> name.contains("tck"))
                        .collect(Collectors.joining(", ")));
        facts.put("run", seconds + " s, " + shards + " shards, jms_timeout " + timeoutMs + " ms");
        facts.put(
                "machine",
                Runtime.getRuntime().availableProcessors()
                        + " processors, Java "
                        + System.getProperty("java.version"));
        return facts;
    }
}
