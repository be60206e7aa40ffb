package org.metaq.discovery;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.metaq.client.cluster.Discovery;
import org.metaq.client.consume.GroupCoordinator;
import org.metaq.client.offset.OffsetStorage;

/**
 * A connection to the ZooKeeper of a MetaQ cluster, and what clients find there. Close it after the
 * clusters and consumers that use it. ZooKeeper must be 3.6 or later.
 *
 * <p>Thread-safe.
 */
public final class ZooKeeperRegistry implements AutoCloseable {
    /** Root of the layout unless brokers are told another ({@code zk.zkRoot}). */
    public static final String DEFAULT_ROOT = "/meta";

    private static final int SESSION_TIMEOUT_MS = 30_000;
    private static final int RETRY_COUNT = 1;
    private static final int RETRY_DELAY_MS = 200;

    private final CuratorFramework curator;
    private final Layout layout;
    private final ZooKeeperDiscovery discovery;

    private ZooKeeperRegistry(CuratorFramework curator, Layout layout) {
        this.curator = curator;
        this.layout = layout;
        this.discovery = new ZooKeeperDiscovery(curator, layout);
    }

    /**
     * Connects, with root {@code /meta} and 30 s for the session.
     *
     * @param connectString {@code host:port,host2:port2}
     * @throws IOException as the other
     */
    public static ZooKeeperRegistry connect(String connectString) throws IOException {
        return connect(connectString, DEFAULT_ROOT, SESSION_TIMEOUT_MS);
    }

    /**
     * Connects and reads what is there.
     *
     * @param root {@code zk.zkRoot} of the brokers
     * @param sessionTimeoutMs after so long without contact ZooKeeper takes a member for dead, and
     *     the member itself stops reading; also the longest wait of this method
     * @throws IOException if ZooKeeper does not answer in time
     */
    public static ZooKeeperRegistry connect(String connectString, String root, int sessionTimeoutMs)
            throws IOException {
        CuratorFramework curator =
                CuratorFrameworkFactory.builder()
                        .connectString(connectString)
                        .sessionTimeoutMs(sessionTimeoutMs)
                        .connectionTimeoutMs(Math.max(1, sessionTimeoutMs / 3))
                        .retryPolicy(new RetryNTimes(RETRY_COUNT, RETRY_DELAY_MS))
                        .build();
        curator.start();
        boolean done = false;
        try {
            if (!curator.blockUntilConnected(sessionTimeoutMs, TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        "ZooKeeper at "
                                + connectString
                                + " not reached in "
                                + sessionTimeoutMs
                                + " ms");
            }
            ZooKeeperRegistry registry = new ZooKeeperRegistry(curator, new Layout(root));
            registry.discovery.start(sessionTimeoutMs);
            done = true;
            return registry;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to " + connectString, e);
        } finally {
            if (!done) {
                curator.close();
            }
        }
    }

    /** Brokers and partitions, for a {@code Cluster}, which may close it. */
    public Discovery discovery() {
        return discovery;
    }

    /** Shares partitions as the consumers of MetaQ 1.4 do, with them and among native ones. */
    public GroupCoordinator coordinator() {
        return new ZooKeeperCoordinator(curator, layout, discovery);
    }

    /** Offsets where the consumers of MetaQ 1.4 keep theirs. */
    public OffsetStorage offsets() {
        return new ZooKeeperOffsetStorage(curator, layout);
    }

    /** For tests: has the session expire as if ZooKeeper had not heard of it for too long. */
    void expireSession() throws Exception {
        curator.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
    }

    /** Ends the session. */
    @Override
    public void close() {
        discovery.end();
        curator.close();
    }
}
