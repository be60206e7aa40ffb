/**
 * MetaQ's layout in ZooKeeper, as clients use it: where brokers and partitions are, who is in a
 * group, how far it has read. Native and classic consumers of one group share it. Curator's threads
 * bring events, which only wake others; each membership has a thread. Imports the native client and
 * Curator.
 */
@NullMarked
package org.metaq.discovery;

import org.jspecify.annotations.NullMarked;
