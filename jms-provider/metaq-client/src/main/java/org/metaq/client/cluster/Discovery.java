package org.metaq.client.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.client.Address;
import org.metaq.client.ClientException;

/**
 * Says which partitions a topic has now, and where the brokers listen. Asked at every send, so an
 * implementation answers from memory and refreshes that by itself. Thread-safe.
 *
 * <p>Lists are sorted, without duplicates, and empty if nothing is known of the topic.
 */
public interface Discovery extends AutoCloseable {
    /**
     * Partitions that take messages.
     *
     * @throws ClientException if it cannot be told now
     */
    List<Partition> publishPartitions(String topic) throws ClientException;

    /**
     * Partitions that can be read.
     *
     * @throws ClientException if it cannot be told now
     */
    List<Partition> subscribePartitions(String topic) throws ClientException;

    /**
     * Where a broker listens; null if it is not known (any more).
     *
     * @throws ClientException if it cannot be told now
     */
    @Nullable Address brokerAddress(int brokerId) throws ClientException;

    /** Ends what it runs; no more questions then. */
    @Override
    void close();
}
