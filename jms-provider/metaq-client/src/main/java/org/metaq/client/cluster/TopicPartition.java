package org.metaq.client.cluster;

import java.util.Comparator;

/**
 * A partition with its topic. Ordered by topic, then partition. Immutable.
 *
 * @param topic physical name
 * @param partition where in the cluster
 */
public record TopicPartition(String topic, Partition partition)
        implements Comparable<TopicPartition> {
    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition);

    @Override
    public int compareTo(TopicPartition other) {
        return ORDER.compare(this, other);
    }

    /** {@code topic/brokerId-number}. */
    @Override
    public String toString() {
        return topic + '/' + partition;
    }
}
