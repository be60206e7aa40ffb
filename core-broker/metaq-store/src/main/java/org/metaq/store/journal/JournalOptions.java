package org.metaq.store.journal;

/**
 * How the file journal works. Immutable.
 *
 * @param segmentLengthBytes length of a segment file, at least {@link #SEGMENT_LENGTH_MIN}; larger:
 *     fewer rolls, a longer scan at a restart
 * @param spareSegments how many segments that are no longer needed are kept to be used again, at
 *     least 1
 * @param flushTxLogAtCommit MetaQ's: when {@code TRANSACTION_POLICY} records are forced; 0: when
 *     the operating system likes, 1: before the answer, 2: one second after the write
 * @param unflushThreshold MetaQ's: {@code SEND_POLICY} records are forced when so many are not; 0
 *     or less: each before its answer
 * @param unflushIntervalMs MetaQ's: {@code SEND_POLICY} records are forced at the latest so long
 *     after the first that is not, ms, at least 1; without meaning when the threshold is 0 or less
 * @param maxBatchBytes longest batch, and most bytes that may be appended and not yet written, at
 *     least {@link #BATCH_LENGTH_MIN}
 */
public record JournalOptions(
        int segmentLengthBytes,
        int spareSegments,
        int flushTxLogAtCommit,
        int unflushThreshold,
        long unflushIntervalMs,
        int maxBatchBytes) {
    /** Least {@code segmentLengthBytes}: the header and something behind it. */
    public static final int SEGMENT_LENGTH_MIN = 2 * SegmentHeader.LENGTH;

    /** Least {@code maxBatchBytes}. */
    public static final int BATCH_LENGTH_MIN = 1024;

    /** Most {@code maxBatchBytes}: a segment is never longer than an int tells. */
    public static final int BATCH_LENGTH_MAX = 1 << 30;

    /** Segments of 64 MiB, everything forced before its answer, batches up to 16 MiB. */
    public static final JournalOptions DEFAULT =
            new JournalOptions(64 * 1024 * 1024, 4, 1, 0, 10_000, 16 * 1024 * 1024);

    /** Checks the ranges. */
    public JournalOptions {
        check(
                segmentLengthBytes >= SEGMENT_LENGTH_MIN
                        && segmentLengthBytes % BatchCodec.ALIGNMENT == 0,
                "segmentLengthBytes must be a multiple of 8 and at least " + SEGMENT_LENGTH_MIN,
                segmentLengthBytes);
        check(spareSegments >= 1, "spareSegments must be at least 1", spareSegments);
        check(
                flushTxLogAtCommit >= 0 && flushTxLogAtCommit <= 2,
                "flushTxLogAtCommit must be 0, 1 or 2",
                flushTxLogAtCommit);
        check(unflushIntervalMs >= 1, "unflushIntervalMs must be at least 1", unflushIntervalMs);
        check(
                maxBatchBytes >= BATCH_LENGTH_MIN && maxBatchBytes <= BATCH_LENGTH_MAX,
                "maxBatchBytes must be " + BATCH_LENGTH_MIN + ".." + BATCH_LENGTH_MAX,
                maxBatchBytes);
    }

    /** The same with other flush policies. */
    public JournalOptions withPolicies(
            int flushTxLogAtCommit, int unflushThreshold, long unflushIntervalMs) {
        return new JournalOptions(
                segmentLengthBytes,
                spareSegments,
                flushTxLogAtCommit,
                unflushThreshold,
                unflushIntervalMs,
                maxBatchBytes);
    }

    /** The same with other lengths. */
    public JournalOptions withLengths(int segmentLengthBytes, int maxBatchBytes) {
        return new JournalOptions(
                segmentLengthBytes,
                spareSegments,
                flushTxLogAtCommit,
                unflushThreshold,
                unflushIntervalMs,
                maxBatchBytes);
    }

    private static void check(boolean holds, String rule, long value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", not " + value);
        }
    }
}
