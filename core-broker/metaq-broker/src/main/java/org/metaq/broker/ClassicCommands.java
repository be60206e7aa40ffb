package org.metaq.broker;

import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.Command;
import org.metaq.protocol.Reply;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.PartitionLog;

/** MetaQ's own reads: get, offset, version, stats. Confined to the writer thread. */
final class ClassicCommands {
    private static final int MOVED = 301;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    private final BrokerContext context;
    private final long startedMs;
    private int connections;
    private int port = -1;
    private long putCount;
    private long getCount;
    private long offsetCount;
    private long missCount;

    ClassicCommands(BrokerContext context) {
        this.context = context;
        this.startedMs = context.clock.wallMs();
    }

    void connected() {
        connections++;
    }

    void disconnected() {
        connections--;
    }

    void listeningOn(int newPort) {
        port = newPort;
    }

    void countPut() {
        putCount++;
    }

    private @Nullable PartitionLog log(String topicName, int partition) {
        Topic topic = context.state.topic(topicName);
        return topic != null
                        && topic.hasPartition(partition)
                        && topic.partitions().get(partition).log() instanceof PartitionLog log
                ? log
                : null;
    }

    /** MetaQ get: bytes from an offset on; 301 moves a reader that is off either end. */
    void get(BrokerConnection connection, Command.Get c) {
        getCount++;
        ClientLink link = connection.link();
        PartitionLog log = log(c.topic(), c.partition());
        if (c.maxSize() <= 0) {
            link.result(c.opaque(), BAD_REQUEST, "Bad request,invalid max size:" + c.maxSize());
        } else if (log == null) {
            missCount++;
            link.result(
                    c.opaque(),
                    NOT_FOUND,
                    "The topic `"
                            + c.topic()
                            + "` in partition `"
                            + c.partition()
                            + "` is not exists");
        } else if (c.offset() < log.startOffset()) {
            link.result(c.opaque(), MOVED, Long.toString(log.startOffset()));
        } else if (c.offset() == Long.MAX_VALUE) {
            link.result(c.opaque(), MOVED, Long.toString(log.endOffset()));
        } else {
            int maxBytes = Math.min(c.maxSize(), context.config.maxTransferSizeBytes());
            MessageBytes bytes = log.read(c.offset(), maxBytes);
            if (bytes == null) {
                missCount++;
                link.result(
                        c.opaque(), NOT_FOUND, "Could not find message at position " + c.offset());
            } else {
                link.data(c.opaque(), bytes);
            }
        }
    }

    void offset(BrokerConnection connection, Command.Offset c) {
        offsetCount++;
        PartitionLog log = log(c.topic(), c.partition());
        if (log == null) {
            connection
                    .link()
                    .result(
                            c.opaque(),
                            NOT_FOUND,
                            "The topic `"
                                    + c.topic()
                                    + "` in partition `"
                                    + c.partition()
                                    + "` is not exists");
        } else {
            long offset = log.segmentStartOf(c.offset());
            connection.link().result(c.opaque(), Reply.OK, Long.toString(offset));
        }
    }

    void version(BrokerConnection connection, Command.Version c) {
        String version = ClassicCommands.class.getPackage().getImplementationVersion();
        connection.link().result(c.opaque(), Reply.OK, version == null ? "0.1" : version);
    }

    /** MetaQ stats: the summary, {@code topics}, {@code offsets}; other items are refused. */
    void stats(BrokerConnection connection, Command.Stats c) {
        StringBuilder out = new StringBuilder("STATS\r\n");
        switch (c.item()) {
            case "" -> summary(out);
            case "topics" -> context.state.topics().forEach(topic -> topicLine(out, topic));
            case "offsets" -> context.state.topics().forEach(topic -> offsetLines(out, topic));
            default -> {
                connection
                        .link()
                        .result(
                                c.opaque(),
                                BAD_REQUEST,
                                "stats item '"
                                        + c.item()
                                        + "' is not available; there are: "
                                        + "(empty), topics, offsets");
                return;
            }
        }
        connection.link().result(c.opaque(), Reply.OK, out.append("END\r\n").toString());
    }

    private void summary(StringBuilder out) {
        long messages = 0;
        for (Topic topic : context.state.topics()) {
            messages += messageCount(topic);
        }
        line(out, "pid", ProcessHandle.current().pid());
        line(out, "broker_id", context.config.brokerId());
        line(out, "port", port);
        line(out, "uptime", (context.clock.wallMs() - startedMs) / 1000);
        line(out, "curr_connections", connections);
        line(out, "cmd_put", putCount);
        line(out, "cmd_get", getCount);
        line(out, "cmd_offset", offsetCount);
        line(out, "get_miss", missCount);
        line(out, "total_messages", messages);
        line(out, "topics", context.state.topics().size());
    }

    private static void line(StringBuilder out, String key, long value) {
        out.append(key).append(' ').append(value).append("\r\n");
    }

    private static long messageCount(Topic topic) {
        long count = 0;
        for (var partition : topic.partitions()) {
            count += partition.log().endSequence() - partition.log().startSequence();
        }
        return count;
    }

    private static void topicLine(StringBuilder out, Topic topic) {
        long bytes = 0;
        for (var partition : topic.partitions()) {
            bytes += partition.log().endOffset() - partition.log().startOffset();
        }
        out.append(topic.text() + " partitions " + topic.partitions().size());
        out.append(" message_count " + messageCount(topic) + " message_bytes " + bytes);
        out.append(" accept_publish true accept_subscribe true\r\n");
    }

    private static void offsetLines(StringBuilder out, Topic topic) {
        for (var partition : topic.partitions()) {
            out.append(topic.text() + " part " + partition.number());
            out.append(" min_offset " + partition.log().startOffset());
            out.append(" max_offset " + partition.log().endOffset() + "\r\n");
        }
    }
}
