/**
 * Where the partitions of a topic are, and the connections to their brokers: what publishers and
 * consumers share. {@link org.metaq.client.cluster.Cluster} is thread-safe; its connections have a
 * reader thread each. Imports {@code org.metaq.client} and the protocol; ZooKeeper comes in behind
 * {@link org.metaq.client.cluster.Discovery}, from another module.
 */
@NullMarked
package org.metaq.client.cluster;

import org.jspecify.annotations.NullMarked;
