package org.metaq.server.discovery;

/** Paths and contents of one broker's nodes, as MetaQ 1.4 clients read them. Immutable. */
final class RegistryPaths {
    private final String root;
    private final int brokerId;

    RegistryPaths(String root, int brokerId) {
        this.root = root;
        this.brokerId = brokerId;
    }

    /** Persistent; its children are the broker's ephemeral nodes. */
    String broker() {
        return root + "/brokers/ids/" + brokerId;
    }

    String master() {
        return broker() + "/master";
    }

    String configChecksum() {
        return broker() + "/master_config_checksum";
    }

    /** For clients before 1.4.3; holds the number of partitions. */
    String topic(String topic) {
        return root + "/brokers/topics/" + topic + "/" + brokerId + "-m";
    }

    String publish(String topic) {
        return root + "/brokers/topics-pub/" + topic + "/" + brokerId + "-m";
    }

    String subscribe(String topic) {
        return root + "/brokers/topics-sub/" + topic + "/" + brokerId + "-m";
    }

    /** Content of {@link #publish} and {@link #subscribe}. One field more and clients refuse it. */
    String json(int partitionCount) {
        return "{\"broker\":\"" + brokerId + "-m\",\"numParts\":" + partitionCount + "}";
    }
}
