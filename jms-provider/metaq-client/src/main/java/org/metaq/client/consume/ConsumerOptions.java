package org.metaq.client.consume;

/**
 * How a consumer reads. Immutable; start from {@link #DEFAULTS}.
 *
 * @param start where a new group starts; at the head by default
 * @param threadCount threads that pull and call listeners, &gt;= 1; as many as processors by
 *     default
 * @param pullBytes most bytes of one pull, &gt;= 1; 1 MiB by default
 * @param idleDelayMaxMs longest wait between pulls of a partition that has nothing new, &gt;= 1;
 *     500 by default
 * @param deliveryCountMax how often a message is delivered before it is rejected, &gt;= 1; 7 by
 *     default
 * @param retryDelayMs wait before the second delivery of a message, twice that before the third and
 *     so on, &gt;= 1; 500 by default
 * @param commitPeriodMs how often offsets are stored if they changed, &gt;= 1; 5000 by default
 */
public record ConsumerOptions(
        StartPosition start,
        int threadCount,
        int pullBytes,
        long idleDelayMaxMs,
        int deliveryCountMax,
        long retryDelayMs,
        long commitPeriodMs) {
    /** What is said above. */
    public static final ConsumerOptions DEFAULTS =
            new ConsumerOptions(
                    StartPosition.head(),
                    Runtime.getRuntime().availableProcessors(),
                    Puller.DEFAULT_BYTES,
                    500,
                    7,
                    500,
                    5_000);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public ConsumerOptions {
        checkPositive("threadCount", threadCount);
        checkPositive("pullBytes", pullBytes);
        checkPositive("idleDelayMaxMs", idleDelayMaxMs);
        checkPositive("deliveryCountMax", deliveryCountMax);
        checkPositive("retryDelayMs", retryDelayMs);
        checkPositive("commitPeriodMs", commitPeriodMs);
    }

    private static void checkPositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be >= 1, not " + value);
        }
    }

    /** The same with another start. */
    public ConsumerOptions withStart(StartPosition value) {
        return new ConsumerOptions(
                value,
                threadCount,
                pullBytes,
                idleDelayMaxMs,
                deliveryCountMax,
                retryDelayMs,
                commitPeriodMs);
    }

    /** The same with other rules for pulling. */
    public ConsumerOptions withPulls(int threads, int bytes, long idleDelayMs) {
        return new ConsumerOptions(
                start, threads, bytes, idleDelayMs, deliveryCountMax, retryDelayMs, commitPeriodMs);
    }

    /** The same with other rules for messages that fail. */
    public ConsumerOptions withRetries(int deliveries, long delayMs) {
        return new ConsumerOptions(
                start, threadCount, pullBytes, idleDelayMaxMs, deliveries, delayMs, commitPeriodMs);
    }

    /** The same with another period of storing offsets. */
    public ConsumerOptions withCommitPeriodMs(long value) {
        return new ConsumerOptions(
                start,
                threadCount,
                pullBytes,
                idleDelayMaxMs,
                deliveryCountMax,
                retryDelayMs,
                value);
    }
}
