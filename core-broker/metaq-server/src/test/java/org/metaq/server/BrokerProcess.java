package org.metaq.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a JVM of its own, with this JVM's class path, on loopback: for tests that kill it.
 *
 * <p>The broker's log goes to {@code broker.err} beside the data directory. {@link #close} kills a
 * process that still runs. Not thread-safe.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final Pattern READY =
            Pattern.compile("ready: metaq broker (\\d+) on port (\\d+), data (.+)");
    private static final long START_MAX_SECONDS = 60;
    private static final long STOP_MAX_SECONDS = 60;

    private final Process process;
    private final Path errorFile;
    private final String readyLine;
    private final int port;

    private BrokerProcess(Process process, Path errorFile, String readyLine, int port) {
        this.process = process;
        this.errorFile = errorFile;
        this.readyLine = readyLine;
        this.port = port;
    }

    /** How to start one; confined to its thread. */
    public static final class Builder {
        private final Path data;
        private int port;
        private final List<String> jvmOptions = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();

        private Builder(Path data) {
            this.data = data;
        }

        /** Port; 0, the default: any free one. */
        public Builder port(int newPort) {
            port = newPort;
            return this;
        }

        /** Options of the JVM, such as {@code -Xmx64m}. */
        public Builder jvmOptions(String... options) {
            jvmOptions.addAll(List.of(options));
            return this;
        }

        /** More arguments of {@link BrokerMain}, such as {@code --config FILE}. */
        public Builder arguments(String... more) {
            arguments.addAll(List.of(more));
            return this;
        }

        /**
         * Starts it and waits for its ready line.
         *
         * @throws IOException if it ends or is silent instead; the message has its log
         */
        public BrokerProcess start() throws IOException, InterruptedException {
            Path errors = errorFile(data);
            Process started = fork(errors);
            String line = firstLine(started);
            Matcher ready = READY.matcher(line == null ? "" : line);
            if (!ready.matches()) {
                started.destroyForcibly().waitFor();
                throw new IOException(
                        "broker not ready; it printed '"
                                + line
                                + "', exit status "
                                + started.exitValue()
                                + ", log:\n"
                                + Files.readString(errors));
            }
            return new BrokerProcess(started, errors, line, Integer.parseInt(ready.group(2)));
        }

        /** Starts it where it must refuse to run; waits for its end. */
        public Refusal startExpectingRefusal() throws IOException, InterruptedException {
            Path errors = Files.createTempFile(errorFile(data).getParent(), "refused", ".err");
            Process started = fork(errors);
            if (!started.waitFor(START_MAX_SECONDS, TimeUnit.SECONDS)) {
                started.destroyForcibly().waitFor();
                throw new IOException("broker runs though it should refuse to");
            }
            String out =
                    new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Refusal(started.exitValue(), out, Files.readString(errors));
        }

        private Process fork(Path errors) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(jvmOptions);
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add("org.metaq.server.BrokerMain");
            command.addAll(
                    List.of(
                            "--data",
                            data.toString(),
                            "--port",
                            Integer.toString(port),
                            "--bind",
                            "127.0.0.1"));
            command.addAll(arguments);
            return new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                    .start();
        }

        private static Path errorFile(Path data) throws IOException {
            Path directory = data.toAbsolutePath().getParent();
            Files.createDirectories(directory);
            return directory.resolve(data.getFileName() + ".broker.err");
        }

        /** The first line of the output, or null if the process ends or takes too long. */
        private static @Nullable String firstLine(Process started) throws IOException {
            Thread watchdog =
                    new Thread(
                            () -> {
                                try {
                                    TimeUnit.SECONDS.sleep(START_MAX_SECONDS);
                                    started.destroyForcibly();
                                } catch (InterruptedException e) {
                                    // it became ready, or ended, in time
                                    Thread.currentThread().interrupt();
                                }
                            },
                            "broker-start-watchdog");
            watchdog.setDaemon(true);
            watchdog.start();
            BufferedReader out =
                    new BufferedReader(
                            new InputStreamReader(
                                    started.getInputStream(), StandardCharsets.UTF_8));
            try {
                return out.readLine();
            } finally {
                watchdog.interrupt();
            }
        }
    }

    /** What a broker that refused to start left behind. */
    public record Refusal(int exitStatus, String output, String errors) {}

    /** A builder for a broker on a data directory. */
    public static Builder on(Path data) {
        return new Builder(data);
    }

    /** Port that it listens on, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Process id. */
    public long pid() {
        return process.pid();
    }

    /** The line that it printed when it was ready. */
    public String readyLine() {
        return readyLine;
    }

    /** Its log so far. */
    public String log() throws IOException {
        return Files.readString(errorFile);
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it as {@code kill -9} does, and waits until it is gone. */
    public void kill9() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /**
     * Sends SIGTERM and waits for the end.
     *
     * @return exit status, 143 after a clean stop
     * @throws IOException if it does not end
     */
    public int terminate() throws IOException, InterruptedException {
        process.destroy();
        return awaitEnd();
    }

    /**
     * Waits until it ends by itself.
     *
     * @return exit status
     * @throws IOException if it does not end within a minute
     */
    public int awaitEnd() throws IOException, InterruptedException {
        if (!process.waitFor(STOP_MAX_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("broker " + process.pid() + " did not end; log:\n" + log());
        }
        return process.exitValue();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() throws InterruptedException {
        kill9();
    }
}
