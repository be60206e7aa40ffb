package org.metaq.broker;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.RecordType;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Redelivery;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.selector.Selector;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.log.MessageMeta;

/**
 * Reads what a queue holds without taking it. Nothing is kept between two reads. Confined to the
 * writer thread.
 */
final class Browses {
    /** Index entries looked at in one turn: others wait meanwhile. */
    private static final int SCAN_MAX = 50_000;

    /** The same of messages that are read for a selector. */
    private static final int READ_MAX = 4_000;

    private static final Settlement NOTHING = new Settlement(List.of());

    private final BrokerContext context;
    private final Subscriptions subscriptions;

    Browses(BrokerContext context, Subscriptions subscriptions) {
        this.context = context;
        this.subscriptions = subscriptions;
    }

    void browse(BrokerConnection connection, Command.Browse c) {
        Topic topic = context.topic(c.topic());
        // Temporary queues have no records.
        if (c.position() == 0 && topic != null && !topic.name().kind().isTemporary()) {
            browseBehindRecords(connection, c);
        } else {
            browseNow(connection, c);
        }
    }

    /**
     * Begins behind the records that are not applied yet: who acknowledged or sent a message, and
     * then browses, sees that it is gone or there.
     */
    private void browseBehindRecords(BrokerConnection connection, Command.Browse c) {
        Records.settlement(context.batch.body(), NOTHING, Redelivery.NONE);
        context.batch.add(
                RecordType.ACKNOWLEDGE,
                Need.LAZY,
                applied -> {
                    if (applied instanceof Applied.Refused refused) {
                        BrokerContext.error(connection, c.opaque(), refused.code(), refused.text());
                    } else {
                        browseNow(connection, c);
                    }
                });
    }

    private void browseNow(BrokerConnection connection, Command.Browse c) {
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

    private void browse(BrokerConnection connection, Command.Browse c, Cursor cursor)
            throws RefusedException {
        Selector selector = SubscriptionFilter.selector(c.selector());
        cursor.look(null, SCAN_MAX);
        if (cursor.hasUnseen()) {
            // Which priorities are there is not known yet: the client asks again.
            connection.link().browsed(c.opaque(), c.position(), List.of());
            return;
        }
        Place place = new Place(cursor, c.position());
        List<OutboundDelivery> found = new ArrayList<>();
        int bytesLeft = c.maxBytes();
        int left = selector == null ? SCAN_MAX : READ_MAX;
        for (; !place.isEnd() && left > 0 && found.size() < c.maxMessages(); left--) {
            MessageMeta meta = cursor.partition().log().meta(place.sequence);
            if (!shows(cursor, place, meta, selector)) {
                place.next();
                continue;
            }
            if (!found.isEmpty() && meta.length() > bytesLeft) {
                break;
            }
            bytesLeft -= meta.length();
            found.add(Deliveries.outbound(cursor, place.sequence));
            place.next();
        }
        connection.link().browsed(c.opaque(), place.position(), found);
    }

    private boolean shows(
            Cursor cursor, Place place, MessageMeta meta, @Nullable Selector selector) {
        boolean isExpired =
                meta.expirationMs() != 0 && meta.expirationMs() <= context.clock.wallMs();
        return meta.priority() == place.priority
                && !isExpired
                && cursor.isUnsettled(place.sequence)
                && (selector == null
                        || selector.matches(
                                context.heads.read(
                                        cursor.partition().log(), place.sequence, meta)));
    }

    /** Where a browse is: one pass over the backlog for each priority that is there. */
    private static final class Place {
        private static final int PRIORITY_MAX = 9;
        private static final int PRIORITY_SHIFT = 56;
        private static final long SEQUENCE_MASK = (1L << PRIORITY_SHIFT) - 1;

        private final Cursor cursor;
        private final long end;
        int priority;
        long sequence;

        Place(Cursor cursor, long position) {
            this.cursor = cursor;
            this.end = cursor.partition().log().endSequence();
            this.priority = PRIORITY_MAX - (int) (position >>> PRIORITY_SHIFT);
            this.sequence = Math.max(position & SEQUENCE_MASK, cursor.cursor());
            passOver();
        }

        boolean isEnd() {
            return priority < 0;
        }

        void next() {
            sequence++;
            passOver();
        }

        /** On to the next priority, where this one has no more. */
        private void passOver() {
            while (priority >= 0
                    && (sequence >= end || !cursor.subscription().hasSeenPriority(priority))) {
                priority--;
                sequence = cursor.cursor();
            }
        }

        long position() {
            return isEnd() ? -1 : (long) (PRIORITY_MAX - priority) << PRIORITY_SHIFT | sequence;
        }
    }
}
