package org.metaq.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A {@code server.ini} that both servers read. Confined to its thread. */
final class ServerIni {
    private final int brokerId;
    private final String zkConnect;
    private final Map<String, String> system = new LinkedHashMap<>();
    private final StringBuilder topics = new StringBuilder();
    private final List<String> topicNames = new ArrayList<>();

    ServerIni(int brokerId, String zkConnect) {
        this.brokerId = brokerId;
        this.zkConnect = zkConnect;
        system("numPartitions", "1");
        system("unflushThreshold", "0");
        system("unflushInterval", "10000");
        system("maxSegmentSize", "1024*1024*1024");
        system("maxTransferSize", "1024*1024");
        system("hostName", "127.0.0.1");
    }

    /** Of a broker that runs alone. */
    static ServerIni alone() {
        return new ServerIni(0, "");
    }

    /** Sets a key of {@code [system]}. */
    ServerIni system(String key, String value) {
        system.put(key, value);
        return this;
    }

    /** Adds a topic; {@code keys} are lines {@code key=value}. */
    ServerIni topic(String name, int partitionCount, String... keys) {
        topicNames.add(name);
        topics.append("[topic=").append(name).append("]\n");
        topics.append("numPartitions=").append(partitionCount).append('\n');
        for (String line : keys) {
            topics.append(line).append('\n');
        }
        return this;
    }

    List<String> topics() {
        return topicNames;
    }

    String zkConnect() {
        return zkConnect;
    }

    int brokerId() {
        return brokerId;
    }

    Path write(Path file, String... more) throws IOException {
        StringBuilder text = new StringBuilder("[system]\nbrokerId=" + brokerId + "\n");
        system.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        for (String line : more) {
            text.append(line).append('\n');
        }
        if (zkConnect.isEmpty()) {
            text.append("[zookeeper]\nzk.zkEnable=false\n");
        } else {
            text.append("[zookeeper]\nzk.zkConnect=").append(zkConnect).append('\n');
            text.append("zk.zkSessionTimeoutMs=6000\nzk.zkConnectionTimeoutMs=10000\n");
            text.append("zk.zkSyncTimeMs=1000\n");
        }
        text.append(topics);
        return Files.writeString(file, text);
    }
}
