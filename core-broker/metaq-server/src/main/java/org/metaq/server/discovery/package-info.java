/**
 * How clients find this broker: its nodes in ZooKeeper, laid out as MetaQ 1.4 does, and a ZooKeeper
 * in the broker's own process for those who have none. One thread, {@code metaq-registry}, talks to
 * ZooKeeper; no one waits for it. May import Curator and ZooKeeper and {@link
 * org.metaq.broker.TopicRegistration}, nothing else of ours.
 */
@NullMarked
package org.metaq.server.discovery;

import org.jspecify.annotations.NullMarked;
