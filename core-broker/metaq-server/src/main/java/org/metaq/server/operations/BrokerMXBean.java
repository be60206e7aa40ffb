package org.metaq.server.operations;

import java.util.List;

/**
 * A broker, as JMX shows it under {@code org.metaq:type=Broker,id=<brokerId>,port=<port>}. What an
 * operation refuses is an {@link IllegalArgumentException} with the reason; where it is not known
 * whether something was done, or the broker does not answer within a minute, it is an {@link
 * IllegalStateException}.
 */
public interface BrokerMXBean {
    /** Release. */
    String getVersion();

    /** Number of the broker in its cluster. */
    int getBrokerId();

    /** TCP port. */
    int getPort();

    /** Connections of clients. */
    int getConnectionCount();

    /** Open consumers of JMS clients. */
    int getConsumerCount();

    /** Temporary destinations. */
    int getTemporaryDestinationCount();

    /** Subscriptions that are not durable, those of temporary queues too. */
    int getVolatileSubscriptionCount();

    /** The configuration file; empty if there is none. */
    String getConfigFile();

    /** CRC-32 of the configuration file as it was last read; 0 if there is none. */
    long getConfigChecksum();

    /** Every topic but the temporary ones. */
    List<TopicView> getTopics();

    /** Every subscription of every topic but the temporary ones; a queue has one. */
    List<SubscriptionView> getSubscriptions();

    /** Messages that were delivered too often since the start. */
    long getDeadLetterCount();

    /** Messages that expired since the start, once for each subscription. */
    long getExpiredCount();

    /**
     * Has a durable subscription, or a queue, deliver from another place on; refused while it has
     * consumers.
     *
     * @param topic physical name
     * @param clientId empty: none
     * @param name of the subscription; empty for a queue's
     * @param position {@code earliest}, {@code latest}, a time such as {@code
     *     2026-11-01T00:00:00Z}, or {@code offset:<partition>:<bytes>}
     */
    String resetSubscription(String topic, String clientId, String name, String position);

    /** Reads the configuration file again; tells what changed, a line per fact. */
    String reload();

    /** Closes partitions, both ends included, to sends and reads, also over a restart. */
    String closePartitions(String topic, int first, int last);

    /** Opens partitions again. */
    String openPartitions(String topic, int first, int last);

    /** Opens every partition of a topic. */
    String openPartitions(String topic);

    /** Takes a checkpoint and waits for it. */
    String checkpoint();

    /** Stops the broker cleanly; returns before it is done. */
    void stop();
}
