package org.metaq.broker;

import org.metaq.broker.state.Topic;
import org.metaq.protocol.Command;
import org.metaq.protocol.Reply;

/** Counts what clients do, and tells it in MetaQ's form. Confined to the writer thread. */
final class ClassicStats {
    private static final int BAD_REQUEST = 400;

    private final BrokerContext context;
    private final long startedMs;
    private int connections;
    private String brokerUrl = "";
    private int port = -1;
    private long putCount;
    private long getCount;
    private long offsetCount;
    private long missCount;
    private long putFailedCount;
    private long beginCount;
    private long xaBeginCount;
    private long commitCount;
    private long rollbackCount;

    ClassicStats(BrokerContext context) {
        this.context = context;
        this.startedMs = context.clock.wallMs();
    }

    void connected() {
        connections++;
    }

    void disconnected() {
        connections--;
    }

    void listeningOn(String url, int newPort) {
        brokerUrl = url;
        port = newPort;
    }

    /** Where clients reach this broker, {@code meta://host:port}. */
    String brokerUrl() {
        return brokerUrl;
    }

    // ---- what happened

    void put(String topic) {
        putCount++;
    }

    void putFailed(String topic) {
        putFailedCount++;
    }

    void get(String topic) {
        getCount++;
    }

    void getMiss(String topic) {
        missCount++;
    }

    void offset(String topic) {
        offsetCount++;
    }

    void countBegin(boolean isXa) {
        if (isXa) {
            xaBeginCount++;
        } else {
            beginCount++;
        }
    }

    void countCommit() {
        commitCount++;
    }

    void countRollback() {
        rollbackCount++;
    }

    // ---- what is told

    void version(BrokerConnection connection, Command.Version c) {
        String version = ClassicStats.class.getPackage().getImplementationVersion();
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
