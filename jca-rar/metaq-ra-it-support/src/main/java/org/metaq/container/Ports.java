package org.metaq.container;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback address for processes that take a number but tell none. They are below
 * the ports that systems give to outgoing connections, so that a killed process finds its port free
 * again. A port is given once in this JVM. Thread-safe.
 */
public final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /**
     * A port that nothing listens on now.
     *
     * @throws IOException if there is none
     */
    public static synchronized int free() throws IOException {
        for (int tries = 0; tries < HIGHEST - LOWEST; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (isFree(port) && GIVEN.add(port)) {
                return port;
            }
        }
        throw new IOException("no free port between " + LOWEST + " and " + HIGHEST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false; // in use: the next is tried
        }
    }
}
