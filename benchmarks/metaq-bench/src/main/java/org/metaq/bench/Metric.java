package org.metaq.bench;

/** What is measured of one workload in one round. */
enum Metric {
    /** Messages that went through in a second. */
    RATE("messagesPerSecond"),
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
    /** Highest resident memory of the broker since it started. */
    BROKER_RSS_MB("brokerPeakRssMb"),
    /** Highest resident memory of the client since it started. */
    CLIENT_RSS_MB("clientPeakRssMb"),
    /** Processors that other programs kept busy meanwhile: high values spoil the round. */
    OTHERS_CORES("othersCores"),
    /** Messages sent, warm-up included. */
    SENT("sent"),
    /** Messages received, warm-up included. */
    RECEIVED("received"),
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
}
