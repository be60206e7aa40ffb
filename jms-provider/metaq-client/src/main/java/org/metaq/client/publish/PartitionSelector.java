package org.metaq.client.publish;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.metaq.client.cluster.Partition;

/**
 * Chooses the partition of each message. Called on the sending threads, several at a time; it must
 * not block. Order holds within a partition only.
 */
@FunctionalInterface
public interface PartitionSelector {
    /**
     * The partition for a message.
     *
     * @param partitions those that take messages now, sorted, not empty
     * @return one of them
     */
    Partition select(Message message, List<Partition> partitions);

    /** Each in turn, starting anywhere. */
    static PartitionSelector roundRobin() {
        AtomicInteger next = new AtomicInteger(ThreadLocalRandom.current().nextInt());
        return (message, partitions) ->
                partitions.get(Math.floorMod(next.getAndIncrement(), partitions.size()));
    }

    /** Any. */
    static PartitionSelector random() {
        return (message, partitions) ->
                partitions.get(ThreadLocalRandom.current().nextInt(partitions.size()));
    }

    /**
     * The same partition for the same key, as long as the list of partitions is the same: {@link
     * String#hashCode} modulo their count. Messages without a key go round robin.
     */
    static PartitionSelector keyHash() {
        PartitionSelector withoutKey = roundRobin();
        return (message, partitions) -> {
            String key = message.key();
            return key == null
                    ? withoutKey.select(message, partitions)
                    : partitions.get(Math.floorMod(key.hashCode(), partitions.size()));
        };
    }
}
