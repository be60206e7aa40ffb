package org.metaq.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The jars of a peer: brought by Maven on first use, and kept in a folder. */
final class PeerJars {
    private static final String GOAL =
            "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
    private static final int TIMEOUT_MINUTES = 10;
    private static final int LINES_SHOWN = 15;

    private PeerJars() {}

    /**
     * Folder of the jars; complete if it exists. The resource {@code PEER-pom.xml} names them.
     *
     * @param peers folder of all peers
     */
    static Path folder(String peer, Path peers) throws BenchException, InterruptedException {
        Path folder = peers.resolve(peer);
        if (Files.isDirectory(folder)) {
            return folder;
        }
        String maven =
                maven(System.getenv())
                        .orElseThrow(
                                () ->
                                        new BenchException(
                                                "the jars of "
                                                        + peer
                                                        + " come from Maven, and there is no mvn"
                                                        + " on the PATH; --peer none runs without"
                                                        + " them"));
        System.err.println("getting " + peer + " from Maven...");
        Path part = peers.resolve(peer + ".part");
        try {
            Files.createDirectories(part);
            copy(peer + "-pom.xml", part.resolve("pom.xml"));
            runMaven(maven, peer, part);
            Files.move(part.resolve("jars"), folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new BenchException("cannot keep the jars of " + peer + ": " + e, e);
        }
        return folder;
    }

    /** All jars of a folder as a class path. */
    static String classPath(Path folder) {
        return folder + File.separator + "*";
    }

    /** Path of {@code mvn}, by the environment's PATH. */
    static Optional<String> maven(Map<String, String> environment) {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "mvn"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** Writes a resource of this package to a file. */
    static void copy(String resource, Path file) throws IOException {
        try (InputStream in = PeerJars.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("no resource " + resource);
            }
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void runMaven(String maven, String peer, Path directory)
            throws BenchException, InterruptedException, IOException {
        Path log = directory.resolve("maven.log");
        Process process =
                new ProcessBuilder(
                                maven,
                                "-q",
                                "-B",
                                "-f",
                                directory.resolve("pom.xml").toString(),
                                GOAL,
                                "-DincludeScope=runtime",
                                "-DoutputDirectory=" + directory.resolve("jars").toAbsolutePath())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        boolean hasEnded = process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
        if (!hasEnded) {
            process.destroyForcibly();
        }
        if (!hasEnded || process.exitValue() != 0) {
            List<String> lines = Files.readAllLines(log);
            throw new BenchException(
                    "Maven did not bring "
                            + peer
                            + ":\n"
                            + String.join(
                                    "\n", lines.subList(0, Math.min(LINES_SHOWN, lines.size()))));
        }
    }
}
