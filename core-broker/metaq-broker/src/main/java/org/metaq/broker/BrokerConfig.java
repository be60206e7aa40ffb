package org.metaq.broker;

/**
 * What a broker can be told; built by the server from {@code server.ini}, documented in {@code
 * docs/configuration.md}.
 *
 * @param brokerId 0..1023
 * @param topics settings of all topics; {@link Broker#reconfigure} replaces them
 * @param autoCreate whether destinations are created on first use; if not, only those are served
 *     that {@code topics} names or matches
 * @param maxMessageSizeBytes largest body of a message, 1..{@link #MESSAGE_SIZE_LIMIT}
 * @param maxTransactionSizeBytes most bytes of messages in one transaction
 * @param transactionMemoryBytes pending messages of all transactions kept in memory; more goes to
 *     spill files
 * @param transactionTimeoutMs time-out of an XA branch that sets none
 * @param outcomeRetentionMs how long outcomes of finished branches and last sends of idle producers
 *     are remembered
 * @param outcomeCountMax most outcomes that are remembered, the last ones, however young
 * @param checkpointBytes journal bytes after which a checkpoint is taken
 * @param checkpointIntervalMs time after which one is taken if there is anything new, &gt;= 1
 * @param maxSegmentSizeBytes length at which a partition log rolls
 * @param maxTransferSizeBytes most bytes of a classic get
 * @param movesBeyondEnd MetaQ's {@code updateConsumerOffsets}: whether a classic get beyond the end
 *     is moved back to it
 * @param minFreeBytes free disk space below which sends are refused
 */
public record BrokerConfig(
        int brokerId,
        TopicCatalog topics,
        boolean autoCreate,
        int maxMessageSizeBytes,
        long maxTransactionSizeBytes,
        long transactionMemoryBytes,
        long transactionTimeoutMs,
        long outcomeRetentionMs,
        int outcomeCountMax,
        long checkpointBytes,
        long checkpointIntervalMs,
        long maxSegmentSizeBytes,
        int maxTransferSizeBytes,
        boolean movesBeyondEnd,
        long minFreeBytes) {
    /** Largest {@code maxMessageSizeBytes}. */
    public static final int MESSAGE_SIZE_LIMIT = 128 * 1024 * 1024;

    /** Checks every range. */
    public BrokerConfig {
        check("brokerId", brokerId, 0, 1023);
        check("maxMessageSize", maxMessageSizeBytes, 1, MESSAGE_SIZE_LIMIT);
        check("maxTransactionSize", maxTransactionSizeBytes, 1, Long.MAX_VALUE);
        check("transactionMemory", transactionMemoryBytes, 0, Long.MAX_VALUE);
        check("transactionTimeout", transactionTimeoutMs, 1, Long.MAX_VALUE);
        check("outcomeRetention", outcomeRetentionMs, 0, Long.MAX_VALUE);
        check("outcomeCount", outcomeCountMax, 1, Integer.MAX_VALUE);
        check("checkpointBytes", checkpointBytes, 1, Long.MAX_VALUE);
        check("checkpointInterval", checkpointIntervalMs, 1, Long.MAX_VALUE);
        check("maxSegmentSize", maxSegmentSizeBytes, 1, Long.MAX_VALUE);
        check("maxTransferSize", maxTransferSizeBytes, 1, Integer.MAX_VALUE);
        check("minFreeSpace", minFreeBytes, 0, Long.MAX_VALUE);
    }

    private static void check(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    key + " is " + value + "; it must be " + min + ".." + max);
        }
    }

    /** The defaults, for a broker id. */
    public static BrokerConfig defaults(int brokerId) {
        return new BrokerConfig(
                brokerId,
                TopicCatalog.of(TopicSettings.defaults(1)),
                true,
                100 * 1024 * 1024,
                1L << 30,
                16L << 20,
                60_000,
                600_000,
                50_000,
                64L << 20,
                3_600_000,
                1L << 30,
                1 << 20,
                true,
                256L << 20);
    }
}
