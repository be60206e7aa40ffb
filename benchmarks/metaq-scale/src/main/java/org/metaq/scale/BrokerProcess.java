package org.metaq.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker of ours in a process of its own, on a free port. Confined to one thread. */
final class BrokerProcess implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("^ready:.* on port (\\d+)");

    /** Last line of a class histogram: the word, instances, bytes. */
    private static final Pattern TOTAL = Pattern.compile("^Total\\s+\\d+\\s+(\\d+)");

    private static final int STOP_MAX_S = 60;

    private final Launch launch;
    private final Path directory;
    private Process process;
    private String url;

    /**
     * How a broker is started.
     *
     * @param command up to the broker's own arguments
     * @param options of its JVM, handed over in {@code METAQ_OPTS}; a command that does not go by
     *     that has them already
     */
    record Launch(List<String> command, String options) {
        /** By the script of a distribution. */
        static Launch distribution(Path home, String options) {
            return new Launch(List.of(home.resolve("bin/metaq").toString(), "broker"), options);
        }
    }

    private BrokerProcess(Launch launch, Path directory) throws IOException, ScaleException {
        this.launch = launch;
        this.directory = directory;
        this.process = startProcess();
        this.url = readyUrl(process);
    }

    /**
     * Starts one and waits until it is ready.
     *
     * @param directory of its data and log
     * @throws ScaleException if it ends instead
     */
    static BrokerProcess start(Launch launch, Path directory) throws IOException, ScaleException {
        return new BrokerProcess(launch, directory);
    }

    /** Of its data and log. */
    Path directory() {
        return directory;
    }

    /** For clients. */
    String url() {
        return url;
    }

    long pid() {
        return process.pid();
    }

    /** Stops it cleanly; {@link #startAgain} must follow. */
    void stop() throws InterruptedException, ScaleException {
        process.destroy();
        if (!process.waitFor(STOP_MAX_S, TimeUnit.SECONDS)) {
            throw new ScaleException("the broker does not stop within " + STOP_MAX_S + " s");
        }
    }

    /** Starts it again over the same data and waits until it is ready. */
    void startAgain() throws IOException, ScaleException {
        process = startProcess();
        url = readyUrl(process);
    }

    /** Bytes of all objects that its heap holds after a garbage collection; needs a JDK. */
    long liveHeapBytes() throws IOException, ScaleException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        ProcessBuilder builder =
                new ProcessBuilder(
                        jcmd.toString(), Long.toString(process.pid()), "GC.class_histogram");
        Process asked = builder.redirectErrorStream(true).start();
        try (BufferedReader lines = asked.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher total = TOTAL.matcher(line);
                if (total.find()) {
                    return Long.parseLong(total.group(1));
                }
            }
        }
        throw new ScaleException(jcmd + " tells no class histogram of the broker");
    }

    /** Ends it. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_MAX_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private Process startProcess() throws IOException {
        List<String> command = new ArrayList<>(launch.command());
        command.addAll(List.of("--port", "0", "--bind", "127.0.0.1", "--data"));
        command.add(directory.resolve("data").toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("METAQ_OPTS", launch.options());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.redirectError(
                ProcessBuilder.Redirect.appendTo(directory.resolve("broker.log").toFile()));
        return builder.start();
    }

    private String readyUrl(Process started) throws IOException, ScaleException {
        // Nothing follows the ready line, so nobody has to read on.
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                return "metaq://127.0.0.1:" + port.group(1);
            }
        }
        throw new ScaleException(
                "the broker did not start; see " + directory.resolve("broker.log"));
    }
}
