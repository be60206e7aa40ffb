package org.metaq.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process that talks in lines on its standard output; its error stream goes to a file. Confined
 * to one thread but for the one that reads its lines.
 */
final class ForkedProcess implements AutoCloseable {
    private static final int STOP_TIMEOUT_S = 60;
    private static final int LOG_LINES_SHOWN = 15;

    private final String name;
    private final Process process;
    private final Path log;
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

    private ForkedProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        Thread reader = new Thread(this::readLines, name + "-lines");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts one.
     *
     * @param name for messages
     * @param log file of its error stream
     * @param environment set besides this process's own
     */
    static ForkedProcess start(
            String name, List<String> command, Path log, Map<String, String> environment)
            throws BenchException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            return new ForkedProcess(name, builder.start(), log);
        } catch (IOException e) {
            throw new BenchException("the " + name + " does not start: " + e.getMessage(), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Next line of its standard output.
     *
     * @return empty at its end
     * @throws BenchException if none comes in that time
     */
    Optional<String> nextLine(long timeoutMs) throws BenchException, InterruptedException {
        Optional<String> line = lines.poll(timeoutMs, TimeUnit.MILLISECONDS);
        if (line == null) {
            throw new BenchException(
                    "the " + name + " was silent for " + timeoutMs / 1000 + " s" + logTail());
        }
        return line;
    }

    /**
     * Waits for a line.
     *
     * @param start of the line
     * @throws BenchException if it ends or is silent
     */
    String awaitLine(String start, long timeoutMs) throws BenchException, InterruptedException {
        StringBuilder skipped = new StringBuilder();
        while (true) {
            Optional<String> line = nextLine(timeoutMs);
            if (line.isEmpty()) {
                throw new BenchException("the " + name + " ended" + logTail() + skipped);
            }
            if (line.get().startsWith(start)) {
                return line.get();
            }
            skipped.append('\n').append(line.get());
        }
    }

    /** As {@link #awaitLine}, and closes it if the line does not come. */
    String awaitLineOrClose(String start, long timeoutMs)
            throws BenchException, InterruptedException {
        boolean hasCome = false;
        try {
            String line = awaitLine(start, timeoutMs);
            hasCome = true;
            return line;
        } finally {
            if (!hasCome) {
                close();
            }
        }
    }

    /** Writes a line to its standard input. */
    void writeLine(String line) throws BenchException {
        try {
            OutputStream in = process.getOutputStream();
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new BenchException("the " + name + " reads nothing: " + e + logTail(), e);
        }
    }

    /**
     * Tells it to stop, and waits until it has.
     *
     * @throws BenchException if it does not
     */
    void stop() throws BenchException, InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_TIMEOUT_S, TimeUnit.SECONDS)) {
            throw new BenchException(
                    "the " + name + " does not stop within " + STOP_TIMEOUT_S + " s");
        }
    }

    /**
     * Waits for its end.
     *
     * @throws BenchException if its exit status is not 0
     */
    void awaitSuccess() throws BenchException, InterruptedException {
        if (!process.waitFor(STOP_TIMEOUT_S, TimeUnit.SECONDS)) {
            throw new BenchException("the " + name + " does not end");
        }
        if (process.exitValue() != 0) {
            throw new BenchException(
                    "the " + name + " ended with status " + process.exitValue() + logTail());
        }
    }

    /** Tells it to stop; kills it if it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void readLines() {
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(line -> lines.add(Optional.of(line)));
        } catch (IOException | UncheckedIOException e) {
            lines.add(Optional.of("unreadable: " + e));
        }
        lines.add(Optional.empty());
    }

    private String logTail() {
        try (Stream<String> all = Files.lines(log)) {
            List<String> kept = all.toList();
            return ":\n"
                    + String.join(
                            "\n",
                            kept.subList(Math.max(0, kept.size() - LOG_LINES_SHOWN), kept.size()));
        } catch (IOException | UncheckedIOException e) {
            return ", and its log cannot be read: " + e;
        }
    }
}
