package org.metaq.container;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An H2 database server in a JVM of its own, on a port and files that stay the same: for tests that
 * kill it. Its log is {@code database.log} beside the files. Confined to its thread.
 */
public final class DatabaseProcess implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final String READY = "TCP server running at";

    private final Path jar;
    private final Path files;
    private final Path log;
    private final int port;
    private @Nullable Process process;

    /**
     * A database server that does not run yet.
     *
     * @param jar H2, see {@link ServerType#database}
     * @param directory for files and log
     * @param port where it listens on 127.0.0.1, see {@link Ports#free()}
     */
    public DatabaseProcess(Path jar, Path directory, int port) {
        this.jar = jar.toAbsolutePath();
        this.files = directory.resolve("database");
        this.log = directory.resolve("database.log");
        this.port = port;
    }

    /** The address of a database of such a server; it is made by whoever connects first. */
    public static String url(int port) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./rows";
    }

    /**
     * Starts it and waits until it serves.
     *
     * @throws IOException if it does not; the message has its log
     */
    public void start() throws IOException, InterruptedException {
        List<String> command =
                Command.java(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-Dh2.bindAddress=127.0.0.1", "-cp", jar.toString()));
        command.addAll(List.of("org.h2.tools.Server", "-tcp", "-ifNotExists"));
        command.addAll(List.of("-tcpPort", Integer.toString(port)));
        command.addAll(List.of("-baseDir", files.toString()));
        LogTail said = LogTail.ofNow(log);
        Process started = Command.start(command, Path.of("."), log, "");
        process = started;
        Command.await(() -> said.contains(READY) || !started.isAlive(), START_MAX);
        if (!said.contains(READY)) {
            kill9();
            throw new IOException("the database does not serve:\n" + said.text());
        }
    }

    /** Kills it as {@code kill -9} does, and waits until it is gone. */
    public void kill9() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Kills it if it still runs. */
    @Override
    public void close() throws InterruptedException {
        kill9();
    }
}
