package org.metaq.discovery;

import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.metaq.client.consume.GroupCoordinator;

/** Makes memberships. Thread-safe. */
final class ZooKeeperCoordinator implements GroupCoordinator {
    private final CuratorFramework curator;
    private final Layout layout;
    private final ZooKeeperDiscovery discovery;

    ZooKeeperCoordinator(CuratorFramework curator, Layout layout, ZooKeeperDiscovery discovery) {
        this.curator = curator;
        this.layout = layout;
        this.discovery = discovery;
    }

    @Override
    public Membership join(String group, Set<String> topics, AssignmentListener listener) {
        GroupNodes nodes = new GroupNodes(curator, layout, group);
        ZooKeeperMembership membership =
                new ZooKeeperMembership(nodes, discovery, topics, listener);
        membership.start();
        return membership;
    }
}
