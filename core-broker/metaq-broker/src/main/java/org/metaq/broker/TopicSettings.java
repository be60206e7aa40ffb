package org.metaq.broker;

import java.util.Map;
import org.metaq.protocol.RedeliveryPolicy;

/**
 * What a topic section of {@code server.ini} says, with what it inherits from {@code [system]}.
 *
 * @param numPartitions partitions it is created with, 1..1000; more in a later configuration adds
 *     partitions, fewer changes nothing
 * @param acceptPublish whether classic and JMS clients may send to it
 * @param acceptSubscribe whether they may read from it
 * @param stat whether statistics of recent activity are kept for it
 * @param deletePolicy what happens to old closed segments
 * @param deleteWhen when that is looked at, a Quartz cron expression
 * @param maxPartitionBytes closed segments go, oldest first, while a partition is longer; 0: no
 *     limit
 * @param deletesUnconsumed whether segments go although a durable subscription or queue still needs
 *     messages in them
 * @param unflushThreshold MetaQ's: sends after which the journal is forced; 0: each is forced
 *     before its reply
 * @param unflushIntervalMs longest time between a send and its force when {@code unflushThreshold}
 *     is above 0
 * @param dataPath directory for new partitions of it; empty: the broker's
 * @param redelivery what becomes of messages that come back, where their consumers do not say
 * @param expiryQueue name of the queue that expired messages go to; empty: they are dropped
 * @param filters class names of server-side filters by consumer group
 */
public record TopicSettings(
        int numPartitions,
        boolean acceptPublish,
        boolean acceptSubscribe,
        boolean stat,
        DeletePolicy deletePolicy,
        String deleteWhen,
        long maxPartitionBytes,
        boolean deletesUnconsumed,
        int unflushThreshold,
        long unflushIntervalMs,
        String dataPath,
        RedeliveryPolicy redelivery,
        String expiryQueue,
        Map<String, String> filters) {
    /** MetaQ's hours at which old segments are looked for. */
    public static final String DELETE_WHEN = "0 0 6,18 * * ?";

    /** With the default redelivery policy, and expired messages dropped. */
    public TopicSettings(
            int numPartitions,
            boolean acceptPublish,
            boolean acceptSubscribe,
            boolean stat,
            DeletePolicy deletePolicy,
            String deleteWhen,
            long maxPartitionBytes,
            boolean deletesUnconsumed,
            int unflushThreshold,
            long unflushIntervalMs,
            String dataPath,
            Map<String, String> filters) {
        this(
                numPartitions,
                acceptPublish,
                acceptSubscribe,
                stat,
                deletePolicy,
                deleteWhen,
                maxPartitionBytes,
                deletesUnconsumed,
                unflushThreshold,
                unflushIntervalMs,
                dataPath,
                RedeliveryPolicy.DEFAULT,
                "",
                filters);
    }

    /** The same with another redelivery policy and queue for expired messages. */
    public TopicSettings with(RedeliveryPolicy newRedelivery, String newExpiryQueue) {
        return new TopicSettings(
                numPartitions,
                acceptPublish,
                acceptSubscribe,
                stat,
                deletePolicy,
                deleteWhen,
                maxPartitionBytes,
                deletesUnconsumed,
                unflushThreshold,
                unflushIntervalMs,
                dataPath,
                newRedelivery,
                newExpiryQueue,
                filters);
    }

    /** Checks the ranges. */
    public TopicSettings {
        if (numPartitions < 1 || numPartitions > 1000) {
            throw new IllegalArgumentException(
                    "numPartitions is " + numPartitions + "; it must be 1..1000");
        }
        if (maxPartitionBytes < 0 || unflushThreshold < 0 || unflushIntervalMs < 1) {
            throw new IllegalArgumentException(
                    "maxPartitionBytes = %d, unflushThreshold = %d, unflushIntervalMs = %d: below the"
                                    .formatted(
                                            maxPartitionBytes, unflushThreshold, unflushIntervalMs)
                            + " lowest, 0, 0 and 1");
        }
        filters = Map.copyOf(filters);
    }

    /** One partition or more, everything accepted, nothing deleted, every send forced. */
    public static TopicSettings defaults(int numPartitions) {
        return new TopicSettings(
                numPartitions,
                true,
                true,
                false,
                DeletePolicy.KEEP,
                DELETE_WHEN,
                0,
                false,
                0,
                10_000,
                "",
                Map.of());
    }
}
