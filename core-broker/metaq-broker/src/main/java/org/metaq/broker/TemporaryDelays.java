package org.metaq.broker;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Association.TemporarySend;
import org.metaq.broker.state.Topic;

/**
 * Delayed messages of temporary destinations, in memory. They count in the limit of their
 * destination. Confined to the writer thread.
 */
final class TemporaryDelays {
    private record Waiting(TemporarySend send, long arrival) {}

    private final PriorityQueue<Waiting> queue =
            new PriorityQueue<>(
                    Comparator.comparingLong((Waiting w) -> w.send().deliveryTimeMs())
                            .thenComparingLong(Waiting::arrival));
    private final Map<Topic, Long> bytesByTopic = new HashMap<>();
    private long nextArrival;

    void add(TemporarySend send) {
        queue.add(new Waiting(send, nextArrival++));
        bytesByTopic.merge(send.topic(), (long) send.message().length, Long::sum);
    }

    /** The next message whose time has come, or null; it waits no more. */
    @Nullable TemporarySend poll(long nowMs) {
        if (nextMs() > nowMs) {
            return null;
        }
        TemporarySend send = queue.remove().send();
        long left = bytesOf(send.topic()) - send.message().length;
        if (left == 0) {
            bytesByTopic.remove(send.topic());
        } else {
            bytesByTopic.put(send.topic(), left);
        }
        return send;
    }

    /** When the next is due, ms since 1970; the greatest value if none waits. */
    long nextMs() {
        Waiting first = queue.peek();
        return first == null ? Long.MAX_VALUE : first.send().deliveryTimeMs();
    }

    /** Bytes of messages that wait for this destination. */
    long bytesOf(Topic topic) {
        return bytesByTopic.getOrDefault(topic, 0L);
    }

    /** A destination is gone, and what waited for it. */
    void drop(Topic topic) {
        if (bytesByTopic.remove(topic) != null) {
            queue.removeIf(waiting -> waiting.send().topic() == topic);
        }
    }
}
