package org.metaq.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A broker of ours in a process of its own, on a free port of the loopback address. Confined to one
 * thread.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile(" on port (\\d+)");
    private static final long READY_TIMEOUT_MS = 120_000;

    /** Last line of a class histogram: the word, instances, bytes. */
    private static final Pattern TOTAL = Pattern.compile("^Total\\s+\\d+\\s+(\\d+)");

    private final Launch launch;
    private final Path directory;
    private ForkedProcess process;
    private String url;

    /**
     * How a broker is started.
     *
     * @param command up to the broker's own arguments
     * @param options of its JVM, handed over in {@code METAQ_OPTS}; a command that does not go by
     *     that has them already
     * @param arguments of the broker, besides port and data
     */
    public record Launch(List<String> command, String options, List<String> arguments) {
        public Launch {
            command = List.copyOf(command);
            arguments = List.copyOf(arguments);
        }

        /** By the script of a distribution. */
        public static Launch distribution(Path home, String options) {
            return new Launch(
                    List.of(home.resolve("bin/metaq").toString(), "broker"), options, List.of());
        }

        /** The same with other arguments. */
        Launch with(List<String> others) {
            return new Launch(command, options, others);
        }
    }

    private BrokerProcess(Launch launch, Path directory)
            throws BenchException, InterruptedException {
        this.launch = launch;
        this.directory = directory;
        this.process = startProcess();
        this.url = readyUrl(process);
    }

    /**
     * Starts one and waits until it is ready.
     *
     * @param directory of its data and log
     * @throws BenchException if it does not get ready
     */
    public static BrokerProcess start(Launch launch, Path directory)
            throws BenchException, InterruptedException {
        return new BrokerProcess(launch, directory);
    }

    /** Of its data and log. */
    public Path directory() {
        return directory;
    }

    /** For clients. */
    public String url() {
        return url;
    }

    /** Of the process that runs now. */
    public long pid() {
        return process.pid();
    }

    ForkedProcess process() {
        return process;
    }

    /**
     * Stops it cleanly; {@link #startAgain} must follow.
     *
     * @throws BenchException if it does not stop
     */
    public void stop() throws BenchException, InterruptedException {
        process.stop();
    }

    /**
     * Starts it again over the same data and waits until it is ready.
     *
     * @throws BenchException if it does not get ready
     */
    public void startAgain() throws BenchException, InterruptedException {
        process = startProcess();
        url = readyUrl(process);
    }

    /**
     * Bytes of all objects that its heap holds after a garbage collection; needs a JDK.
     *
     * @throws BenchException if the JDK's {@code jcmd} does not tell
     * @throws IOException if there is none
     */
    public long liveHeapBytes() throws BenchException, IOException {
        Path jcmd = Path.of(Jvm.home(), "bin", "jcmd");
        ProcessBuilder builder =
                new ProcessBuilder(jcmd.toString(), Long.toString(pid()), "GC.class_histogram");
        Process asked = builder.redirectErrorStream(true).start();
        try (BufferedReader lines = asked.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher total = TOTAL.matcher(line);
                if (total.find()) {
                    return Long.parseLong(total.group(1));
                }
            }
        }
        throw new BenchException(jcmd + " tells no class histogram of the broker");
    }

    /** Tells it to stop; kills it if it does not. */
    @Override
    public void close() {
        process.close();
    }

    private ForkedProcess startProcess() throws BenchException {
        List<String> command = new ArrayList<>(launch.command());
        command.addAll(List.of("--port", "0", "--bind", "127.0.0.1", "--data"));
        command.add(directory.resolve("data").toString());
        command.addAll(launch.arguments());
        return ForkedProcess.start(
                "metaq broker",
                command,
                directory.resolve("broker.log"),
                Map.of("METAQ_OPTS", launch.options(), "JAVA_HOME", Jvm.home()));
    }

    private static String readyUrl(ForkedProcess process)
            throws BenchException, InterruptedException {
        Matcher port = PORT.matcher(process.awaitLineOrClose("ready:", READY_TIMEOUT_MS));
        if (!port.find()) {
            process.close();
            throw new BenchException("the metaq broker does not name its port");
        }
        return "metaq://127.0.0.1:" + port.group(1);
    }
}
