package org.metaq.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A peer whose broker is a library, and runs in a JVM of its own. Immutable. */
abstract class EmbeddedPeer implements Server {
    /** Starts the line that a main class prints when its broker serves. */
    static final String READY = "ready: ";

    private static final long READY_TIMEOUT_MS = 120_000;
    private static final List<String> LOG_WARNINGS =
            List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    private final String name;
    private final Path jars;
    private final List<String> options;

    /**
     * Gets its jars if they are not there yet.
     *
     * @param name of the peer, and of its list of jars
     * @param peers folder in which the jars of peers are kept
     * @param options of the broker's JVM
     */
    EmbeddedPeer(String name, Path peers, List<String> options)
            throws BenchException, InterruptedException {
        this.name = name;
        this.jars = PeerJars.folder(name, peers);
        this.options = List.copyOf(options);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String brokerOptions() {
        return String.join(" ", options);
    }

    /** Class path of its jars, for clients too. */
    public final String clientClassPath() {
        return PeerJars.classPath(jars);
    }

    /** A process, and what followed {@link #READY}. */
    record Ready(ForkedProcess process, String rest) {}

    /**
     * Starts the JVM.
     *
     * @param main its main class
     * @param argument of the main class
     * @param more options of the JVM
     * @param directory for its log
     */
    final Ready start(Class<?> main, String argument, List<String> more, Path directory)
            throws BenchException, InterruptedException {
        List<String> all = new ArrayList<>(LOG_WARNINGS);
        all.addAll(more);
        String classPath = Jvm.origin(main) + File.pathSeparator + clientClassPath();
        List<String> command = new ArrayList<>(Jvm.command(options, all, classPath, main));
        command.add(argument);
        ForkedProcess process =
                ForkedProcess.start(
                        name + " broker", command, directory.resolve("broker.log"), Map.of());
        String line = process.awaitLineOrClose(READY, READY_TIMEOUT_MS);
        return new Ready(process, line.substring(READY.length()));
    }
}
