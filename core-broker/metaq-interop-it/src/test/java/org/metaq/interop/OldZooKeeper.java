package org.metaq.interop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** ZooKeeper 3.4.3, which MetaQ 1.4 was released with, in a process of its own. */
final class OldZooKeeper implements AutoCloseable {
    private static final long START_MAX_SECONDS = 30;

    private final Process process;
    private final int port;

    private OldZooKeeper(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one and waits until it listens. */
    static OldZooKeeper start(Path directory) throws IOException {
        int port = OriginalServer.freePort();
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx128m",
                                        "-XX:+UseSerialGC",
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        OriginalServer.classPath(),
                                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                                        Integer.toString(port),
                                        directory.resolve("zookeeper").toString()))
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("zookeeper.log").toFile())
                        .start();
        Awaitility.await()
                .atMost(START_MAX_SECONDS, TimeUnit.SECONDS)
                .until(() -> !process.isAlive() || listens(port));
        return new OldZooKeeper(process, port);
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    String connectString() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
