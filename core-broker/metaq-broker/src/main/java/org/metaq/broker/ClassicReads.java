package org.metaq.broker;

import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.Reply;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.PartitionLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MetaQ's reads by offset, and ours by time. Confined to the writer thread. */
final class ClassicReads {
    private static final Logger LOG = LoggerFactory.getLogger(ClassicReads.class);

    /** Longest message, header included, that MetaQ's clients decode. */
    static final int CLASSIC_MESSAGE_BYTES_MAX = MessageFormat.HEADER_LENGTH + 2 * 1024 * 1024;

    static final int MOVED = 301;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final BrokerContext context;
    private final ClassicStats stats;
    private final FilteredReads filtered;

    ClassicReads(BrokerContext context, ClassicStats stats, FilteredReads filtered) {
        this.context = context;
        this.stats = stats;
        this.filtered = filtered;
    }

    private @Nullable Partition partition(String topicName, int number) {
        Topic topic = context.state.topic(topicName);
        return topic != null && topic.hasPartition(number) ? topic.partitions().get(number) : null;
    }

    /** MetaQ get: bytes from an offset on; 301 moves a reader that is off either end. */
    void get(BrokerConnection connection, Command.Get c) {
        stats.get(c.topic());
        ClientLink link = connection.link();
        Partition partition = partition(c.topic(), c.partition());
        if (c.maxSize() <= 0) {
            link.result(c.opaque(), BAD_REQUEST, "Bad request,invalid max size:" + c.maxSize());
        } else if (partition == null) {
            stats.getMiss(c.topic());
            link.result(c.opaque(), NOT_FOUND, noPartition(c.topic(), c.partition()));
        } else if (partition.isClosed()
                || !context.catalog.of(c.topic()).acceptSubscribe()
                || !context.isServed(partition.topic())) {
            link.result(c.opaque(), FORBIDDEN, closed(partition));
        } else {
            read(connection, c, (PartitionLog) partition.log());
        }
    }

    private void read(BrokerConnection connection, Command.Get c, PartitionLog log) {
        ClientLink link = connection.link();
        long end = log.publishedEndOffset();
        boolean isMovedBack =
                c.offset() == Long.MAX_VALUE
                        || (context.config.movesBeyondEnd() && c.offset() > end);
        if (c.offset() < log.startOffset()) {
            link.result(c.opaque(), MOVED, Long.toString(log.startOffset()));
        } else if (isMovedBack) {
            link.result(c.opaque(), MOVED, Long.toString(end));
        } else if (c.offset() >= end) {
            stats.getMiss(c.topic());
            link.result(c.opaque(), NOT_FOUND, "Could not find message at position " + c.offset());
        } else {
            readWhole(connection, c, log);
        }
    }

    /**
     * Hands out what was asked for, but at least one whole message if one begins at the offset: a
     * client that gets less asks again for ever.
     */
    private void readWhole(BrokerConnection connection, Command.Get c, PartitionLog log) {
        int clientMax = connection.isOpen ? Integer.MAX_VALUE : CLASSIC_MESSAGE_BYTES_MAX;
        int maxBytes =
                Math.min(clientMax, Math.min(c.maxSize(), context.config.maxTransferSizeBytes()));
        MessageBytes bytes = log.read(c.offset(), maxBytes);
        if (bytes == null) {
            throw new IllegalStateException("nothing at " + c.offset() + " of " + log.path());
        }
        boolean mayBeCut = bytes.length() == maxBytes;
        int first = mayBeCut ? log.messageLengthAt(c.offset()) : -1;
        if (first <= maxBytes) {
            answer(connection, c, log, bytes);
            return;
        }
        bytes.release();
        MessageBytes whole = first <= clientMax ? log.read(c.offset(), first) : null;
        if (whole != null) {
            answer(connection, c, log, whole);
        } else {
            stats.skipped();
            LOG.warn(
                    "classic-reader-skips topic={} partition={} offset={} bytes={} group={}: the"
                            + " message is longer than a classic client can take ({})",
                    c.topic(),
                    c.partition(),
                    c.offset(),
                    first,
                    c.group(),
                    CLASSIC_MESSAGE_BYTES_MAX);
            connection.link().result(c.opaque(), MOVED, Long.toString(c.offset() + first));
        }
    }

    private void answer(
            BrokerConnection connection, Command.Get c, PartitionLog log, MessageBytes bytes) {
        String className = context.catalog.of(c.topic()).filters().get(c.group());
        if (className == null || log.messageLengthAt(c.offset()) < 0) {
            connection.link().data(c.opaque(), bytes);
        } else {
            filtered.read(connection, c, log, bytes, className);
        }
    }

    private static String noPartition(String topic, int partition) {
        return "The topic `" + topic + "` in partition `" + partition + "` is not exists";
    }

    private String closed(Partition partition) {
        if (partition.isClosed()) {
            return "Partition " + partition.topic() + "-" + partition.number() + " is closed";
        }
        return context.isServed(partition.topic())
                ? partition.topic() + " has acceptSubscribe = false"
                : BrokerContext.notServed(partition.topic().text());
    }

    void offset(BrokerConnection connection, Command.Offset c) {
        stats.offset(c.topic());
        Partition partition = partition(c.topic(), c.partition());
        if (partition == null) {
            connection.link().result(c.opaque(), NOT_FOUND, noPartition(c.topic(), c.partition()));
        } else {
            long offset = ((PartitionLog) partition.log()).segmentStartOf(c.offset());
            connection.link().result(c.opaque(), Reply.OK, Long.toString(offset));
        }
    }

    void offsetOfTime(BrokerConnection connection, Command.OffsetOfTime c) {
        Partition partition = partition(c.topic(), c.partition());
        if (partition == null) {
            BrokerContext.error(
                    connection,
                    c.opaque(),
                    ErrorCode.NO_SUCH_DESTINATION,
                    noPartition(c.topic(), c.partition()));
        } else {
            long offset = ((PartitionLog) partition.log()).offsetOfTime(c.timestampMs());
            BrokerContext.ok(connection, c.opaque(), Long.toString(offset));
        }
    }
}
