package org.metaq.client.offset;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.client.cluster.TopicPartition;

/**
 * Keeps the offsets of groups. A consumer makes one call at a time; several consumers may share.
 */
public interface OffsetStorage extends AutoCloseable {
    /**
     * What was stored last, by any member of the group; null if nothing was.
     *
     * @throws IOException if it cannot be read now; the consumer tries again
     */
    @Nullable GroupOffset load(String group, TopicPartition partition) throws IOException;

    /**
     * Stores offsets; they are durable when it returns.
     *
     * @throws IOException if not all could be stored; the consumer tries again with newer ones
     */
    void store(String group, Map<TopicPartition, GroupOffset> offsets) throws IOException;

    /** Gives back what it holds. */
    @Override
    void close() throws IOException;
}
