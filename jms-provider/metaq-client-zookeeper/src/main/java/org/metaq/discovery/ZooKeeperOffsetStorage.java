package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.client.offset.GroupOffset;
import org.metaq.client.offset.OffsetStorage;

/** Offsets as MetaQ 1.4 keeps them in ZooKeeper. Thread-safe. */
final class ZooKeeperOffsetStorage implements OffsetStorage {
    private final CuratorFramework curator;
    private final Layout layout;

    ZooKeeperOffsetStorage(CuratorFramework curator, Layout layout) {
        this.curator = curator;
        this.layout = layout;
    }

    @Override
    public @Nullable GroupOffset load(String group, TopicPartition partition) throws IOException {
        String path = layout.offset(group, partition);
        checkConnected(path);
        try {
            return GroupOffset.parse(new String(curator.getData().forPath(path), UTF_8));
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (Exception e) { // Curator declares no narrower one
            throw failure(path, e);
        }
    }

    @Override
    public void store(String group, Map<TopicPartition, GroupOffset> offsets) throws IOException {
        for (Map.Entry<TopicPartition, GroupOffset> each : offsets.entrySet()) {
            String path = layout.offset(group, each.getKey());
            checkConnected(path);
            byte[] text = each.getValue().toString().getBytes(UTF_8);
            try {
                curator.create().orSetData().creatingParentsIfNeeded().forPath(path, text);
            } catch (Exception e) { // Curator declares no narrower one
                throw failure(path, e);
            }
        }
    }

    /** Fails at once what else would wait for the connection while a member gives up partitions. */
    private void checkConnected(String path) throws IOException {
        if (!curator.getZookeeperClient().isConnected()) {
            throw new IOException(path + ": no connection to ZooKeeper");
        }
    }

    private static IOException failure(String path, Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new IOException(path + ": " + e, e);
    }

    /** The session is the registry's. */
    @Override
    public void close() {
        // nothing of its own
    }
}
