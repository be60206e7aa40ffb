package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.metaq.client.TestBroker;

/** A broker process and what it would write in ZooKeeper for one topic. Not thread-safe. */
final class RegisteredBroker implements AutoCloseable {
    private final CuratorFramework curator;
    private final int id;
    private final int partitions;
    private final String topic;
    private final TestBroker broker;

    RegisteredBroker(CuratorFramework curator, Path directory, int id, int partitions, String topic)
            throws Exception {
        this.curator = curator;
        this.id = id;
        this.partitions = partitions;
        this.topic = topic;
        this.broker = TestBroker.start(directory, id, partitions, topic);
        register();
    }

    void register() throws Exception {
        put("/meta/brokers/ids/" + id + "/master", "meta://" + broker.address());
        String json = "{\"broker\":\"" + id + "-m\",\"numParts\":" + partitions + "}";
        put("/meta/brokers/topics-pub/" + topic + "/" + id + "-m", json);
        put("/meta/brokers/topics-sub/" + topic + "/" + id + "-m", json);
    }

    private void put(String path, String text) throws Exception {
        curator.create()
                .orSetData()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(path, text.getBytes(UTF_8));
    }

    void unregister() throws Exception {
        curator.delete().quietly().forPath("/meta/brokers/topics-pub/" + topic + "/" + id + "-m");
        curator.delete().quietly().forPath("/meta/brokers/topics-sub/" + topic + "/" + id + "-m");
        curator.delete().quietly().forPath("/meta/brokers/ids/" + id + "/master");
    }

    @Override
    public void close() throws Exception {
        unregister();
        broker.close();
    }
}
