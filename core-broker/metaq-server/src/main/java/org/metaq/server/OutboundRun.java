package org.metaq.server;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.OutboundDelivery;
import org.metaq.protocol.Delivery;
import org.metaq.store.log.MessageBytes;

/**
 * Deliveries that are next to each other in their partition and differ in their sequence alone: one
 * read, or one sendfile. Fields as {@link Delivery} lays out a run.
 */
record OutboundRun(OutboundDelivery first, int messageCount, MessageBytes messages) {
    /** A longer one takes memory where its bytes are in no file. */
    private static final int LENGTH_MAX = 1 << 20;

    /** Puts deliveries that can be together, in their order. */
    static List<OutboundRun> of(List<OutboundDelivery> deliveries) {
        List<OutboundRun> runs = new ArrayList<>();
        OutboundDelivery first = null;
        MessageBytes messages = null;
        int count = 0;
        for (OutboundDelivery next : deliveries) {
            MessageBytes longer =
                    first == null || messages == null ? null : join(first, count, messages, next);
            if (longer != null) {
                messages = longer;
                count++;
                continue;
            }
            if (first != null && messages != null) {
                runs.add(new OutboundRun(first, count, messages));
            }
            first = next;
            messages = next.message();
            count = 1;
        }
        if (first != null && messages != null) {
            runs.add(new OutboundRun(first, count, messages));
        }
        return runs;
    }

    private static @Nullable MessageBytes join(
            OutboundDelivery first, int count, MessageBytes messages, OutboundDelivery next) {
        boolean isAlike =
                next.partition() == first.partition()
                        && next.sequence() == first.sequence() + count
                        && next.deliveryCount() == first.deliveryCount()
                        && next.redelivered() == first.redelivered()
                        && messages.length() + next.message().length() <= LENGTH_MAX;
        return isAlike ? messages.followedBy(next.message()) : null;
    }

    void putPrefix(ByteBuffer to) {
        Delivery.putPrefix(
                to,
                first.partition(),
                first.sequence(),
                first.deliveryCount(),
                first.redelivered(),
                messageCount);
    }
}
