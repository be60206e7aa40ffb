package org.metaq.broker;

import java.util.ArrayList;
import java.util.List;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.store.log.MessageMeta;

/**
 * Reads what a queue holds without taking it. Nothing is kept between two reads. Confined to the
 * writer thread.
 */
final class Browses {
    /** Index entries looked at in one turn: others wait meanwhile. */
    private static final int SCAN_MAX = 20_000;

    private final BrokerContext context;
    private final Subscriptions subscriptions;

    Browses(BrokerContext context, Subscriptions subscriptions) {
        this.context = context;
        this.subscriptions = subscriptions;
    }

    void browse(BrokerConnection connection, Command.Browse c) {
        try {
            browse(connection, c, cursor(connection, c));
        } catch (RefusedException e) {
            BrokerContext.error(connection, c.opaque(), e.code(), e.text());
        }
    }

    private Cursor cursor(BrokerConnection connection, Command.Browse c) throws RefusedException {
        Topic topic = context.topic(c.topic());
        if (topic == null || !topic.name().kind().isQueue()) {
            throw new RefusedException(
                    ErrorCode.NO_SUCH_DESTINATION, "there is no queue " + c.topic());
        }
        if (!topic.hasPartition(c.partition()) || c.position() < 0) {
            throw new RefusedException(
                    ErrorCode.BAD_REQUEST,
                    "partition %d, position %d: %s has %d partitions, and positions are not negative"
                            .formatted(
                                    c.partition(), c.position(), topic, topic.partitions().size()));
        }
        subscriptions.checkOwner(connection, topic);
        subscriptions.checkAcceptsSubscribe(topic);
        return topic.subscriptions().iterator().next().cursors().get(c.partition());
    }

    private void browse(BrokerConnection connection, Command.Browse c, Cursor cursor) {
        List<OutboundDelivery> found = new ArrayList<>();
        long nowMs = context.clock.wallMs();
        long end = cursor.partition().log().endSequence();
        long sequence = Math.max(c.position(), cursor.cursor());
        long scanEnd = Math.min(end, sequence + SCAN_MAX);
        int bytesLeft = c.maxBytes();
        for (; sequence < scanEnd && found.size() < c.maxMessages(); sequence++) {
            MessageMeta meta = cursor.partition().log().meta(sequence);
            boolean isExpired = meta.expirationMs() != 0 && meta.expirationMs() <= nowMs;
            if (isExpired || !cursor.isUnsettled(sequence)) {
                continue;
            }
            if (!found.isEmpty() && meta.length() > bytesLeft) {
                break;
            }
            bytesLeft -= meta.length();
            found.add(
                    new OutboundDelivery(
                            cursor.partition().number(),
                            sequence,
                            cursor.nextDeliveryCount(sequence),
                            cursor.isRedelivered(sequence),
                            cursor.partition().log().bytes(sequence)));
        }
        connection.link().browsed(c.opaque(), sequence >= end ? -1 : sequence, found);
    }
}
