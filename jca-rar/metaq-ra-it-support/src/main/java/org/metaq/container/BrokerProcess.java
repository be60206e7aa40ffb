package org.metaq.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a JVM of its own on a port that stays the same: for tests and demos that kill it. Its
 * class path is the distribution's that the script {@code metaq} names, else this JVM's. Its log is
 * {@code broker.log} beside the data. Confined to its thread.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(60);

    /** Small: it shares a machine with servers and tests. */
    private static final List<String> JVM_OPTIONS =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Path data;
    private final Path log;
    private final int port;
    private final List<String> jvmOptions;
    private @Nullable Process process;

    /**
     * A small broker that does not run yet.
     *
     * @param directory for data and log
     * @param port where it listens on 127.0.0.1, see {@link Ports#free()}
     */
    public BrokerProcess(Path directory, int port) {
        this(directory, port, JVM_OPTIONS);
    }

    /**
     * A broker that does not run yet.
     *
     * @param directory for data and log
     * @param port where it listens on 127.0.0.1, see {@link Ports#free()}
     * @param jvmOptions of its JVM
     */
    public BrokerProcess(Path directory, int port, List<String> jvmOptions) {
        this.jvmOptions = List.copyOf(jvmOptions);
        this.data = directory.resolve("broker");
        this.log = directory.resolve("broker.log");
        this.port = port;
    }

    /**
     * Starts it and waits until it serves.
     *
     * @throws IOException if it does not; the message has its log
     */
    public void start() throws IOException, InterruptedException {
        List<String> command = Command.java(jvmOptions);
        String home = System.getProperty("metaq.home");
        command.add("-cp");
        command.add(home == null ? System.getProperty("java.class.path") : home + "/lib/*");
        command.add("org.metaq.server.BrokerMain");
        command.addAll(List.of("--data", data.toString(), "--bind", "127.0.0.1"));
        command.addAll(List.of("--port", Integer.toString(port)));
        long before = Files.exists(log) ? Files.size(log) : 0;
        Process started = Command.start(command, Path.of("."), log, "");
        process = started;
        LogTail tail = new LogTail(log, before);
        Command.await(() -> tail.contains("ready: metaq broker") || !started.isAlive(), START_MAX);
        if (!tail.contains("ready: metaq broker")) {
            kill9();
            throw new IOException("the broker is not ready:\n" + tail.text());
        }
    }

    /** Kills it as {@code kill -9} does, and waits until it is gone. */
    public void kill9() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    /**
     * Process id.
     *
     * @throws IllegalStateException if it was not started
     */
    public long pid() {
        if (process == null) {
            throw new IllegalStateException("the broker was not started");
        }
        return process.pid();
    }

    /** Its port. */
    public int port() {
        return port;
    }

    /** Where clients reach it. */
    public String uri() {
        return "metaq://127.0.0.1:" + port;
    }

    /** Its log. */
    public Path log() {
        return log;
    }

    /** Kills it if it still runs. */
    @Override
    public void close() throws InterruptedException {
        kill9();
    }
}
