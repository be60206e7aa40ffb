package org.metaq.bench;

import java.util.Arrays;
import java.util.List;

/** The workloads of the original MetaQ client; known also where that client is not. */
enum ClassicNames {
    /** One producer that waits for each answer. */
    C1("original client, 1 sync producer", 1, false),
    /** Eight of them. */
    C8("original client, 8 sync producers on 8 partitions", 8, false),
    /** One producer with sends under way, and then the drain. */
    Ca("original client, 1,000 sends under way (Ca), then pulled (Cd)", 1, true);

    /** Name of the part of {@link #Ca} that pulls. */
    static final String DRAIN = "Cd";

    private final String description;
    private final int producers;
    private final boolean isAsync;

    ClassicNames(String description, int producers, boolean isAsync) {
        this.description = description;
        this.producers = producers;
        this.isAsync = isAsync;
    }

    String description() {
        return description;
    }

    /** Number of producers, and of partitions. */
    int producers() {
        return producers;
    }

    boolean isAsync() {
        return isAsync;
    }

    String topic() {
        return "bench-" + name();
    }

    /** Of the same workload before it is measured. */
    String warmUpTopic() {
        return topic() + "-warm-up";
    }

    /** Names of the measurements. */
    List<String> rows() {
        return isAsync ? List.of(name(), DRAIN) : List.of(name());
    }

    /** True if a workload of that name is one of these. */
    static boolean contains(String name) {
        return Arrays.stream(values()).anyMatch(value -> value.name().equals(name));
    }

    /**
     * A {@code server.ini} for both servers, with the topics.
     *
     * @param more lines of the section {@code system}
     * @param zookeeper its lines
     */
    static String serverIni(List<String> more, List<String> zookeeper) {
        StringBuilder ini = new StringBuilder();
        ini.append("[system]\nbrokerId=0\nnumPartitions=1\nhostName=127.0.0.1\n");
        // Every put is answered after its force.
        ini.append("unflushThreshold=0\nunflushInterval=10000\n");
        ini.append("maxSegmentSize=1024*1024*1024\nmaxTransferSize=1024*1024\n");
        more.forEach(line -> ini.append(line).append('\n'));
        ini.append("[zookeeper]\n");
        zookeeper.forEach(line -> ini.append(line).append('\n'));
        for (ClassicNames name : values()) {
            for (String topic : List.of(name.topic(), name.warmUpTopic())) {
                ini.append("[topic=").append(topic).append("]\n");
                ini.append("numPartitions=").append(name.producers).append('\n');
            }
        }
        return ini.toString();
    }
}
