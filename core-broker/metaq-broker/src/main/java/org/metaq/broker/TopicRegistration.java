package org.metaq.broker;

/**
 * What clients may know of a topic: how many partitions it has here, and what it accepts.
 *
 * @param topic physical name
 * @param partitionCount &gt;= 1
 */
public record TopicRegistration(
        String topic, int partitionCount, boolean acceptPublish, boolean acceptSubscribe) {}
