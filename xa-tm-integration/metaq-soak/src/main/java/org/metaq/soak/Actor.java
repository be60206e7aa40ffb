package org.metaq.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that is told what to do on its standard input, and answers on its standard output, line
 * by line; its standard error goes to a file. Confined to its thread.
 */
public final class Actor implements AutoCloseable {
    /** Before the answer to an order. */
    public static final String DONE = "done ";

    /** Before the first line of a broker, which has its port. */
    private static final String BROKER_READY = "ready: metaq broker ";

    private static final String ENDED = "the process ended";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LOG_TAIL_LENGTH = 6_000;

    /** Those that this JVM takes with it when it ends. */
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final Process process;
    private final Path log;
    private final Writer in;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Actor(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts a main class in a small JVM.
     *
     * @param log its standard error is appended to it
     * @param classPath null: this JVM's
     * @param options of the JVM
     * @throws IOException if it cannot be started
     */
    public static Actor start(
            String name,
            Path log,
            @Nullable String classPath,
            List<String> options,
            String mainClass,
            String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Soon up: most of what these processes do is to start.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.addAll(options);
        command.add("-cp");
        command.add(classPath == null ? System.getProperty("java.class.path") : classPath);
        command.add(mainClass);
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        RUNNING.add(process);
        Actor actor = new Actor(name, process, log);
        Thread reader = new Thread(actor::read, "reader of " + name);
        reader.setDaemon(true);
        reader.start();
        return actor;
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            out.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("unreadable: " + e);
        }
        lines.add(ENDED);
    }

    /**
     * Waits until it is a broker that takes connections; returns its port.
     *
     * @throws IOException as {@link #await}
     */
    public int awaitBroker() throws IOException, InterruptedException {
        String ready = await(BROKER_READY);
        return Integer.parseInt(ready.replaceFirst(".* on port (\\d+),.*", "$1"));
    }

    /**
     * Tells it a line, without a wait for the answer.
     *
     * @throws IOException if it has ended
     */
    public void tell(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
    }

    /**
     * Gives it an order, and waits for the answer.
     *
     * @throws IOException as {@link #await}
     */
    public String order(String line) throws IOException, InterruptedException {
        tell(line);
        return await(DONE);
    }

    /**
     * The rest of the next line that starts so; other lines are dropped.
     *
     * @throws IOException if the process ends, or is silent for a minute; the message has the end
     *     of its log
     */
    public String await(String prefix) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            String line = lines.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || line.equals(ENDED)) {
                String what = line == null ? " did not say '" + prefix + "'" : ": " + ENDED;
                throw new IOException(name + what + "; end of its log:\n" + logTail());
            }
            if (line.startsWith(prefix)) {
                return line.substring(prefix.length());
            }
        }
    }

    private String logTail() throws IOException {
        String all = Files.readString(log);
        return all.substring(Math.max(0, all.length() - LOG_TAIL_LENGTH));
    }

    /** Kills it with -9, and waits until it is gone. */
    public void kill9() throws InterruptedException {
        process.destroyForcibly().waitFor();
        RUNNING.remove(process);
    }

    /** The same. */
    @Override
    public void close() throws InterruptedException {
        kill9();
    }
}
