package org.metaq.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** How the JVMs are started: with this one's Java. */
final class Jvm {
    /** Memory of every client. */
    static final List<String> CLIENT_HEAP = List.of("-Xmx1g");

    private Jvm() {}

    /** Directory of this JVM's Java. */
    static String home() {
        return System.getProperty("java.home");
    }

    static List<String> command(
            List<String> heap, List<String> options, String classPath, Class<?> main) {
        return Stream.of(
                        List.of(Path.of(home(), "bin", "java").toString()),
                        heap,
                        options,
                        List.of("-cp", classPath, main.getName()))
                .flatMap(List::stream)
                .toList();
    }

    /** A port of the loopback address that nobody listens on just now. */
    static int freePort() throws BenchException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new BenchException("no free port: " + e.getMessage(), e);
        }
    }

    /** The jar or directory that a class comes from. */
    static Path origin(Class<?> type) throws BenchException {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException e) {
            throw new BenchException("cannot tell where " + type + " comes from", e);
        }
    }
}
