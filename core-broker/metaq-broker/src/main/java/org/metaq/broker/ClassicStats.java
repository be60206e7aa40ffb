package org.metaq.broker;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.RecentStats.Kind;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.Command;
import org.metaq.protocol.Reply;

/** Counts what clients do, and tells it in MetaQ's {@code stats}. Confined to the writer thread. */
final class ClassicStats {
    private static final List<String> HELP =
            List.of(
                    "*EMPTY* this broker: counters since its start",
                    "help this list",
                    "topics partitions, messages and bytes of each topic",
                    "offsets lowest and highest offset of each partition",
                    "realtime recent activity of the topics with stat = true",
                    "<topic> one topic, with its recent activity",
                    "config the configuration file",
                    "reset starts the recent activity anew");

    private static final int EXISTS = 0;
    private static final int UNKNOWN = 1;
    private static final int CONFIGURED = 2;

    private final BrokerContext context;
    private final RecentStats recent;
    private final long startedMs;
    private String brokerUrl = "";
    private int port = -1;
    private String configText = "";
    private long configChecksum;
    private int connections;
    private long putCount;
    private long putFailedCount;
    private long getCount;
    private long missCount;
    private long skippedCount;
    private long offsetCount;
    private long beginCount;
    private long xaBeginCount;
    private long commitCount;
    private long rollbackCount;

    ClassicStats(BrokerContext context) {
        this.context = context;
        this.startedMs = context.clock.wallMs();
        this.recent = new RecentStats(startedMs);
    }

    void listeningOn(String url, int newPort) {
        brokerUrl = url;
        port = newPort;
    }

    /** Where clients reach this broker, {@code meta://host:port}. */
    String brokerUrl() {
        return brokerUrl;
    }

    void configText(String text, long checksum) {
        configText = text;
        configChecksum = checksum;
    }

    // ---- what happened

    void connected() {
        connections++;
    }

    void disconnected() {
        connections--;
    }

    int connections() {
        return connections;
    }

    void put(String topic, int bodyLength) {
        putCount++;
        note(topic, Kind.PUT, 1);
        note(topic, Kind.MESSAGE_SIZE, bodyLength);
    }

    void putFailed(String topic) {
        putFailedCount++;
        note(topic, Kind.PUT_FAILED, 1);
    }

    void get(String topic) {
        getCount++;
        note(topic, Kind.GET, 1);
    }

    void getMiss(String topic) {
        missCount++;
        note(topic, Kind.GET_MISS, 1);
    }

    /** A classic reader was led past a message that it cannot take. */
    void skipped() {
        skippedCount++;
    }

    void offset(String topic) {
        offsetCount++;
        note(topic, Kind.OFFSET, 1);
    }

    void begin(boolean isXa) {
        if (isXa) {
            xaBeginCount++;
        } else {
            beginCount++;
        }
    }

    void commit() {
        commitCount++;
    }

    void rollback() {
        rollbackCount++;
    }

    private void note(String topic, Kind kind, long value) {
        if (context.catalog.of(topic).stat() && context.state.topic(topic) != null) {
            recent.add(topic, kind, value, context.clock.wallMs());
        }
    }

    // ---- what is told

    void version(BrokerConnection connection, Command.Version c) {
        connection.link().result(c.opaque(), Reply.OK, version());
    }

    private static String version() {
        String version = ClassicStats.class.getPackage().getImplementationVersion();
        return version == null ? "0.1" : version;
    }

    void stats(BrokerConnection connection, Command.Stats c) {
        connection.link().result(c.opaque(), Reply.OK, text(c.item()));
    }

    private String text(String item) {
        StringBuilder out = new StringBuilder("STATS\r\n");
        switch (item) {
            case "" -> summary(out);
            case "topics" -> topics(out);
            case "offsets" -> context.state.topics().forEach(topic -> offsetLines(out, topic));
            case "realtime" -> recent.lines(out, "realtime_", null, context.clock.wallMs());
            case "help" -> HELP.forEach(line -> out.append(line).append("\r\n"));
            case "reset" -> {
                recent.reset(context.clock.wallMs());
                out.append("reset ok\r\n");
            }
            case "config" -> {
                return configText;
            }
            default -> topic(out, item);
        }
        return out.append("END\r\n").toString();
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
        line(out, "version", version());
        line(out, "slave", false);
        line(out, "curr_connections", connections);
        line(out, "threads", ManagementFactory.getThreadMXBean().getThreadCount());
        line(out, "cmd_put", putCount);
        line(out, "cmd_get", getCount);
        line(out, "cmd_offset", offsetCount);
        line(out, "tx_begin", beginCount);
        line(out, "tx_xa_begin", xaBeginCount);
        line(out, "tx_commit", commitCount);
        line(out, "tx_rollback", rollbackCount);
        line(out, "get_miss", missCount);
        line(out, "put_failed", putFailedCount);
        line(out, "total_messages", messages);
        line(out, "topics", context.state.topics().size());
        line(out, "config_checksum", configChecksum);
        // ours, behind MetaQ's, which tools may read by position
        line(out, "get_skipped", skippedCount);
    }

    private static void line(StringBuilder out, String key, Object value) {
        out.append(key).append(' ').append(value).append("\r\n");
    }

    private static long messageCount(Topic topic) {
        long count = 0;
        for (Partition partition : topic.partitions()) {
            count += partition.log().endSequence() - partition.log().startSequence();
        }
        return count;
    }

    private static long byteCount(Topic topic) {
        long bytes = 0;
        for (Partition partition : topic.partitions()) {
            bytes += partition.log().endOffset() - partition.log().startOffset();
        }
        return bytes;
    }

    private void topics(StringBuilder out) {
        for (Topic topic : context.state.topics()) {
            TopicSettings settings = context.catalog.of(topic.text());
            out.append(topic.text() + " partitions " + topic.partitions().size());
            out.append(" message_count " + messageCount(topic));
            out.append(" message_bytes " + byteCount(topic));
            out.append(" accept_publish " + settings.acceptPublish());
            out.append(" accept_subscribe " + settings.acceptSubscribe() + "\r\n");
        }
    }

    private static void offsetLines(StringBuilder out, Topic topic) {
        for (Partition partition : topic.partitions()) {
            out.append(topic.text() + " part " + partition.number());
            out.append(" min_offset " + partition.log().startOffset());
            out.append(" max_offset " + partition.log().endOffset() + "\r\n");
        }
    }

    private void topic(StringBuilder out, String name) {
        @Nullable Topic topic = context.state.topic(name);
        int unknown = context.catalog.isConfigured(name) ? CONFIGURED : UNKNOWN;
        out.append(name).append("\r\n");
        line(out, "resultCode", topic == null ? unknown : EXISTS);
        line(out, "partitions", topic == null ? 0 : topic.partitions().size());
        line(out, "message_count", topic == null ? 0 : messageCount(topic));
        line(out, "bytes", topic == null ? 0 : byteCount(topic));
        recent.lines(out, "topic_realtime_", name, context.clock.wallMs());
    }
}
