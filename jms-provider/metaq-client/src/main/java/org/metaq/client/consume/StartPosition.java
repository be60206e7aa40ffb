package org.metaq.client.consume;

import java.time.Instant;
import org.metaq.client.ClientException;
import org.metaq.client.cluster.TopicPartition;

/** Where a group starts in a partition of which it has no offset yet. Immutable. */
@FunctionalInterface
public interface StartPosition {
    /**
     * The offset to start from.
     *
     * @throws ClientException if it cannot be told now; the consumer tries again
     */
    long offset(Puller puller, TopicPartition partition) throws ClientException;

    /** With the oldest message that is there. */
    static StartPosition head() {
        return (puller, from) -> puller.headOffset(from.topic(), from.partition());
    }

    /** With what is appended from now on. */
    static StartPosition tail() {
        return (puller, from) -> puller.tailOffset(from.topic(), from.partition());
    }

    /** At this offset of every partition. */
    static StartPosition offset(long offset) {
        return (puller, from) -> offset;
    }

    /** With the first message that was stored at or after a time. */
    static StartPosition time(Instant time) {
        return (puller, from) -> puller.offsetAt(from.topic(), from.partition(), time);
    }
}
