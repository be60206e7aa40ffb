package org.metaq.architecture.broken.client;

/** Brings ZooKeeper to every JMS client. */
public class UsesZooKeeper {
    org.apache.curator.framework.CuratorFramework curator;
}
