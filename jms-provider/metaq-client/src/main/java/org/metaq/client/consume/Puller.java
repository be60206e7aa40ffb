package org.metaq.client.consume;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.cluster.Partition;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;

/**
 * Reads partitions by offset; it keeps no position, and reading changes nothing at the broker.
 * Every call blocks for a round trip, up to {@code callTimeoutMs} of the connection, and connects
 * if need be. Thread-safe.
 */
public final class Puller {
    /** Bytes to ask for if there is no reason for another number. */
    public static final int DEFAULT_BYTES = 1024 * 1024;

    private static final int MOVED = 301;
    private static final int NOT_FOUND = 404;

    private final Cluster cluster;
    private final String group;

    /** Reads in the name of no group in particular. */
    public Puller(Cluster cluster) {
        this(cluster, "metaq-puller");
    }

    /**
     * Reads in the name of a group.
     *
     * @param group a word; brokers filter messages by it if they are told to
     */
    public Puller(Cluster cluster, String group) {
        this.cluster = cluster;
        this.group = group;
    }

    /** Partitions of a topic that can be read, sorted; empty if none are known. */
    public List<Partition> partitions(String topic) throws ClientException {
        return cluster.discovery().subscribePartitions(topic);
    }

    /**
     * Messages from an offset on.
     *
     * @param offset where a message starts: {@link #headOffset}, {@link #tailOffset}, {@link
     *     #offsetAt} or the {@code nextOffset} of an earlier result
     * @param maxBytes most bytes of the reply, &gt;= 1; the broker caps it too. Its first message
     *     comes whole whatever its size
     * @throws ClientException FORBIDDEN if the partition is closed; INTERNAL if no message starts
     *     at the offset
     */
    public PullResult pull(String topic, Partition partition, long offset, int maxBytes)
            throws ClientException {
        ClientConnection connection = cluster.connection(partition.brokerId());
        Reply reply;
        try {
            reply =
                    connection.call(
                            new Command.Get(
                                    topic,
                                    group,
                                    partition.number(),
                                    offset,
                                    maxBytes,
                                    connection.nextOpaque()));
        } catch (ClientException e) {
            if (e.replyStatus() == MOVED) {
                long next = offset(e.replyText());
                return new PullResult(PullResult.Status.MOVED, List.of(), next);
            }
            if (e.replyStatus() == NOT_FOUND) {
                return new PullResult(PullResult.Status.NOTHING, List.of(), offset);
            }
            throw e;
        }
        ByteBuffer bytes =
                reply instanceof Reply.Value value ? value.body() : ByteBuffer.allocate(0);
        List<ReceivedMessage> messages =
                MessageDecoder.decode(
                        new TopicPartition(topic, partition),
                        offset,
                        bytes,
                        connection.maxMessageSizeBytes());
        long next = messages.isEmpty() ? offset : messages.get(messages.size() - 1).nextOffset();
        return new PullResult(PullResult.Status.FOUND, messages, next);
    }

    /**
     * Offset of the oldest message that is there, or of the next one if there is none.
     *
     * @throws ClientException NO_SUCH_DESTINATION if there is no such partition
     */
    public long headOffset(String topic, Partition partition) throws ClientException {
        return askOffset(topic, partition, 0);
    }

    /**
     * Offset of the next message that will be appended.
     *
     * @throws ClientException NO_SUCH_DESTINATION if there is no such partition
     */
    public long tailOffset(String topic, Partition partition) throws ClientException {
        return askOffset(topic, partition, Long.MAX_VALUE);
    }

    /**
     * Offset of the first message that was stored at or after a time; of the next message that will
     * be appended if there is none.
     *
     * @throws ClientException NO_SUCH_DESTINATION if there is no such partition; the connection is
     *     lost if the broker is one of MetaQ 1.4, which does not know the command
     */
    public long offsetAt(String topic, Partition partition, Instant time) throws ClientException {
        ClientConnection connection = cluster.connection(partition.brokerId());
        Command.OffsetOfTime question =
                new Command.OffsetOfTime(
                        topic, partition.number(), time.toEpochMilli(), connection.nextOpaque());
        return offset(connection.call(question));
    }

    private long askOffset(String topic, Partition partition, long offset) throws ClientException {
        ClientConnection connection = cluster.connection(partition.brokerId());
        Command.Offset question =
                new Command.Offset(
                        topic, group, partition.number(), offset, connection.nextOpaque());
        return offset(connection.call(question));
    }

    private static long offset(Reply reply) throws ClientException {
        return offset(reply instanceof Reply.Result result ? result.text() : "");
    }

    private static long offset(String text) throws ClientException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw ClientException.of(
                    ErrorCode.INTERNAL, "a reply with '" + text + "' in place of an offset");
        }
    }
}
