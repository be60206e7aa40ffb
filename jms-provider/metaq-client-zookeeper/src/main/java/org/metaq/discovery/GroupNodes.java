package org.metaq.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.metaq.client.cluster.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of one member of a group in ZooKeeper: its registration and what it owns. Every method
 * may throw whatever Curator does, which declares no narrower exception than {@link Exception}.
 * Confined to the member's thread, but for the listeners.
 */
final class GroupNodes {
    private static final Logger LOG = LoggerFactory.getLogger(GroupNodes.class);

    private final CuratorFramework curator;
    private final Layout layout;
    private final String group;
    private final String memberId;

    GroupNodes(CuratorFramework curator, Layout layout, String group) {
        this.curator = curator;
        this.layout = layout;
        this.group = group;
        this.memberId = group + '_' + UUID.randomUUID();
    }

    String group() {
        return group;
    }

    String memberId() {
        return memberId;
    }

    /** Has changes of the members told; the caller closes what is returned. */
    CuratorCache watchMembers(Runnable onChange) {
        CuratorCache members = CuratorCache.build(curator, layout.members(group));
        members.listenable()
                .addListener(
                        CuratorCacheListener.builder().forAll((t, a, b) -> onChange.run()).build());
        members.start();
        return members;
    }

    void addConnectionListener(ConnectionStateListener listener) {
        curator.getConnectionStateListenable().addListener(listener);
    }

    void removeConnectionListener(ConnectionStateListener listener) {
        curator.getConnectionStateListenable().removeListener(listener);
    }

    /** Fails at once while there is no connection; else each step would wait for one. */
    void checkConnected() throws KeeperException {
        if (!curator.getZookeeperClient().isConnected()) {
            throw new KeeperException.ConnectionLossException();
        }
    }

    /** Makes the registration if this session has none. */
    void register(Set<String> topics) throws Exception {
        createEphemeral(
                layout.member(group, memberId),
                String.join(",", topics.stream().sorted().toList()));
    }

    void unregister() throws Exception {
        curator.delete().quietly().forPath(layout.member(group, memberId));
    }

    /** The ids of the members that subscribe to each topic. */
    Map<String, List<String>> members() throws Exception {
        Map<String, List<String>> members = new TreeMap<>();
        for (String id : curator.getChildren().forPath(layout.members(group))) {
            for (String topic : topicsOf(id).split(",", -1)) {
                members.computeIfAbsent(topic.trim(), t -> new ArrayList<>()).add(id);
            }
        }
        return members;
    }

    /** Nothing for a member that left in between, which is told as a change. */
    private String topicsOf(String id) throws Exception {
        try {
            return new String(curator.getData().forPath(layout.member(group, id)), UTF_8);
        } catch (KeeperException.NoNodeException e) {
            LOG.debug("member {} left", id, e);
            return "";
        }
    }

    /** Makes a partition this member's; false while it is another's. */
    boolean claim(TopicPartition partition) throws Exception {
        return createEphemeral(layout.owner(group, partition), memberId);
    }

    /** Whether a partition is this member's. */
    boolean owns(TopicPartition partition) throws Exception {
        try {
            return isOurs(layout.owner(group, partition), memberId);
        } catch (KeeperException.NoNodeException e) {
            return false;
        }
    }

    /** Gives a partition free if it is this member's. */
    void release(TopicPartition partition) throws Exception {
        if (owns(partition)) {
            curator.delete().quietly().forPath(layout.owner(group, partition));
        }
    }

    /** False if the node is there and not of this session with this text. */
    private boolean createEphemeral(String path, String text) throws Exception {
        try {
            curator.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(path, text.getBytes(UTF_8));
            return true;
        } catch (KeeperException.NodeExistsException e) {
            try {
                return isOurs(path, text) || replaceOurOwn(path, text);
            } catch (KeeperException.NoNodeException gone) {
                return createEphemeral(path, text);
            }
        }
    }

    private boolean isOurs(String path, String text) throws Exception {
        Stat stat = new Stat();
        byte[] data = curator.getData().storingStatIn(stat).forPath(path);
        return new String(data, UTF_8).equals(text)
                && stat.getEphemeralOwner()
                        == curator.getZookeeperClient().getZooKeeper().getSessionId();
    }

    /** Our ids are random, so a node with ours is left from a session that is about to expire. */
    private boolean replaceOurOwn(String path, String text) throws Exception {
        if (!new String(curator.getData().forPath(path), UTF_8).equals(text)) {
            return false;
        }
        curator.delete().quietly().forPath(path);
        return createEphemeral(path, text);
    }
}
