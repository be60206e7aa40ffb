package org.metaq.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Starts the JVM of a peer whose broker is a library. Stateless. */
final class EmbeddedPeer {
    private static final long READY_TIMEOUT_MS = 120_000;
    private static final List<String> LOG_WARNINGS =
            List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    private EmbeddedPeer() {}

    /** A process, and the line by which it said that it serves. */
    record Ready(ForkedProcess process, String line) {}

    /**
     * Starts it.
     *
     * @param main its main class, which prints a line when it serves
     * @param ready how that line begins
     * @param argument of the main class
     * @param directory for its log
     */
    static Ready start(
            String name,
            Path jars,
            List<String> options,
            Class<?> main,
            String ready,
            String argument,
            Path directory)
            throws BenchException, InterruptedException {
        String classPath = Jvm.origin(main) + File.pathSeparator + PeerJars.classPath(jars);
        List<String> command =
                Stream.concat(
                                Jvm.command(options, LOG_WARNINGS, classPath, main).stream(),
                                Stream.of(argument))
                        .toList();
        ForkedProcess process =
                ForkedProcess.start(
                        name + " broker", command, directory.resolve("broker.log"), Map.of());
        return new Ready(process, process.awaitLineOrClose(ready, READY_TIMEOUT_MS));
    }
}
