package org.metaq.server.discovery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnLog;

/**
 * A ZooKeeper of one server in this JVM, on loopback: for a broker on a developer's machine. What
 * it stores survives a restart. Thread-safe.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final int TICK_MS = 2000;
    private static final int CONNECTIONS_MAX = 1000;
    private static final long LOG_ROOM_BYTES = 1 << 20;
    private static final int SNAPSHOTS_KEPT = 3;
    private static final int PURGE_INTERVAL_HOURS = 24;

    private final ServerCnxnFactory connections;
    private final DatadirCleanupManager cleanup;

    private EmbeddedZooKeeper(ServerCnxnFactory connections, DatadirCleanupManager cleanup) {
        this.connections = connections;
        this.cleanup = cleanup;
    }

    /**
     * Starts one and waits until it serves.
     *
     * @param directory where it stores; created if missing
     * @param port 0: any free one
     * @throws UncheckedIOException if it cannot listen or its directory cannot be used
     */
    public static EmbeddedZooKeeper start(Path directory, int port) {
        // its default takes 64 MB of the disk for a few kilobytes
        FileTxnLog.setPreallocSize(LOG_ROOM_BYTES);
        try {
            Files.createDirectories(directory);
            ServerCnxnFactory factory = new NIOServerCnxnFactory();
            factory.configure(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS_MAX);
            factory.startup(new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MS));
            DatadirCleanupManager cleanup =
                    new DatadirCleanupManager(
                            directory.toFile(),
                            directory.toFile(),
                            SNAPSHOTS_KEPT,
                            PURGE_INTERVAL_HOURS);
            cleanup.start();
            return new EmbeddedZooKeeper(factory, cleanup);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the embedded ZooKeeper does not start on port "
                            + port
                            + ", directory "
                            + directory
                            + ": "
                            + e.getMessage()
                            + "; choose another --zookeeper-port, or register with the ZooKeeper"
                            + " that runs there: [zookeeper] in server.ini",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the embedded ZooKeeper started", e);
        }
    }

    /** Where clients connect, {@code host:port}. */
    public String connect() {
        return "127.0.0.1:" + connections.getLocalPort();
    }

    @Override
    public void close() {
        cleanup.shutdown();
        connections.shutdown();
    }
}
