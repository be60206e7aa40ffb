package org.metaq.bench;

/** What is measured of one workload in one round. */
enum Metric {
    /** Messages, or whatever is counted, in a second. */
    RATE("perSecond"),
    /** Rate of the first tenth of a backlog. */
    FIRST_TENTH_RATE("firstTenthPerSecond"),
    /** Rate of the last tenth of a backlog. */
    LAST_TENTH_RATE("lastTenthPerSecond"),
    /** Median latency. */
    P50_US("latencyP50Us"),
    /** 99th percentile of the latency. */
    P99_US("latencyP99Us"),
    /** 99.9th percentile of the latency. */
    P999_US("latencyP999Us"),
    /** Processor time of the broker per message. */
    BROKER_CPU_US("brokerCpuUsPerMessage"),
    /** Processor time of the client per message. */
    CLIENT_CPU_US("clientCpuUsPerMessage"),
    /** How often a thread of the broker went to sleep, per message. */
    BROKER_SWITCHES("brokerSwitchesPerMessage"),
    /** How often a thread of the client went to sleep, per message. */
    CLIENT_SWITCHES("clientSwitchesPerMessage"),
    /** Bytes written to all disks, per message. */
    DISK_BYTES("diskBytesPerMessage"),
    /** Flush requests to all disks, per message. */
    FLUSHES("diskFlushesPerMessage"),
    /** Highest resident memory of the broker in the workload, warm-up included. */
    BROKER_RSS_MB("brokerPeakRssMb"),
    /** Highest resident memory of the client since it started. */
    CLIENT_RSS_MB("clientPeakRssMb"),
    /** Processors that other programs kept busy meanwhile: high values spoil the round. */
    OTHERS_CORES("othersCores"),
    /** Rate of the last tenth by that of the first. */
    LAST_PER_FIRST_TENTH("lastPerFirstTenth"),
    /** What a backlog takes on the disk. */
    DISK_GB("dataGb"),
    /** From the request to stop to the end of the broker's process. */
    STOP_S("stopSeconds"),
    /** From the start of the broker's process until it serves. */
    READY_S("readySeconds"),
    /** From the start of the broker's process until a client has the first message. */
    FIRST_MESSAGE_S("firstMessageSeconds"),
    /** When the first message was received, in milliseconds of the epoch. */
    FIRST_MESSAGE_AT_MS("firstMessageAtMs"),
    /** Receipts that were expected, warm-up included; 0 if nothing was sent. */
    SENT("sent"),
    /** Messages sent and never received. */
    LOST("lost"),
    /** Messages received once more than sent. */
    DOUBLED("doubled");

    private final String key;

    Metric(String key) {
        this.key = key;
    }

    /** Its name in results. */
    String key() {
        return key;
    }

    /**
     * The one with that key.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Metric named(String key) {
        for (Metric metric : values()) {
            if (metric.key.equals(key)) {
                return metric;
            }
        }
        throw new IllegalArgumentException("no metric is called " + key);
    }
}
