package org.metaq.client.consume;

import java.util.Collection;
import java.util.Set;
import org.metaq.client.cluster.TopicPartition;

/**
 * Shares the partitions of topics among the members of a group: each partition has one member at
 * most. Members that come and go, and brokers too, make it share anew.
 */
public interface GroupCoordinator {
    /**
     * Joins a group. Returns at once; partitions come and go from then on.
     *
     * @param group name, see {@link GroupConsumer}
     * @param topics physical names, not empty
     */
    Membership join(String group, Set<String> topics, AssignmentListener listener);

    /**
     * Told which partitions are the member's; one call at a time, on a thread of the coordinator.
     */
    interface AssignmentListener {
        /** These are the member's from now on. Must not block for long. */
        void assigned(Collection<TopicPartition> partitions);

        /**
         * These are to be given away: when it returns, the member has stopped reading them and
         * stored its offsets.
         */
        void revoked(Collection<TopicPartition> partitions);
    }

    /** A member's place in its group. */
    interface Membership extends AutoCloseable {
        /** Gives all partitions away, with {@link AssignmentListener#revoked}, and leaves. */
        @Override
        void close();
    }
}
