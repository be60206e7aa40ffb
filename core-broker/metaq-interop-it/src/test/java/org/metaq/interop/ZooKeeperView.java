package org.metaq.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;

/** What is in ZooKeeper. Thread-safe. */
final class ZooKeeperView implements AutoCloseable {
    private final CuratorFramework client;

    ZooKeeperView(String connect) {
        client = CuratorFrameworkFactory.newClient(connect, new RetryOneTime(500));
        client.start();
    }

    /** Content of a node; null if there is none. */
    String text(String path) throws Exception {
        try {
            return new String(client.getData().forPath(path), UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    void write(String path, String content) throws Exception {
        client.create()
                .orSetData()
                .creatingParentsIfNeeded()
                .forPath(path, content.getBytes(UTF_8));
    }

    List<String> children(String path) throws Exception {
        try {
            return client.getChildren().forPath(path);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    /** Consumers of a group by the partition that they own of a topic. */
    Map<String, String> owners(String group, String topic) throws Exception {
        String path = "/meta/consumers/" + group + "/owners/" + topic;
        Map<String, String> owners = new HashMap<>();
        for (String partition : children(path)) {
            String owner = text(path + "/" + partition);
            if (owner != null) {
                owners.put(partition, owner);
            }
        }
        return owners;
    }

    /** How many consumers of a group share so many partitions; 0 while some have no owner. */
    int ownerCount(String group, String topic, int partitionCount) throws Exception {
        Map<String, String> owners = owners(group, topic);
        Set<String> distinct = new HashSet<>(owners.values());
        return owners.size() == partitionCount ? distinct.size() : 0;
    }

    /** Offset that a group has stored; -1 if none. */
    long storedOffset(String group, String topic, String partition) throws Exception {
        String stored = text("/meta/consumers/" + group + "/offsets/" + topic + "/" + partition);
        return stored == null ? -1 : Long.parseLong(stored.substring(stored.lastIndexOf('-') + 1));
    }

    @Override
    public void close() {
        client.close();
    }
}
