package org.metaq.store.log;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Limits of the partition logs and spill files of one broker.
 *
 * @param segmentLengthMaxBytes a segment that is this long after an append gets no more messages
 *     (MetaQ's {@code maxSegmentSize}); &gt;= 1
 * @param openFilesMax files that are kept open; more are open only while they are read; &gt;= 2
 * @param bufferLengthBytes length of a write buffer; &gt;= 1024
 * @param bufferCountMax write buffers at most; a log that gets none writes each message at once;
 *     &gt;= 1
 * @param cachedLogsMax logs that keep parts of their index in memory, at most 16 KiB each; &gt;= 1
 */
public record LogOptions(
        long segmentLengthMaxBytes,
        int openFilesMax,
        int bufferLengthBytes,
        int bufferCountMax,
        int cachedLogsMax) {
    private static final int OPEN_FILES_LIMIT = 4096;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public LogOptions {
        require(segmentLengthMaxBytes >= 1, "segmentLengthMaxBytes", segmentLengthMaxBytes);
        require(openFilesMax >= 2, "openFilesMax", openFilesMax);
        require(bufferLengthBytes >= 1024, "bufferLengthBytes", bufferLengthBytes);
        require(bufferCountMax >= 1, "bufferCountMax", bufferCountMax);
        require(cachedLogsMax >= 1, "cachedLogsMax", cachedLogsMax);
    }

    /** Segments of 1 GiB, 512 open files, 64 buffers of 128 KiB, 512 logs with a cached index. */
    public static LogOptions defaults() {
        return new LogOptions(1L << 30, 512, 128 * 1024, 64, 512);
    }

    /** The same with another segment length. */
    public LogOptions withSegmentLengthMaxBytes(long bytes) {
        return new LogOptions(
                bytes, openFilesMax, bufferLengthBytes, bufferCountMax, cachedLogsMax);
    }

    /**
     * The same with as many open files and cached indexes as this process can afford, so that a
     * thousand queues in use do not open and close theirs in turn: a quarter of the files that it
     * may have open, at most 4,096.
     */
    public LogOptions withFilesOfProcess() {
        long limit =
                ManagementFactory.getOperatingSystemMXBean()
                                instanceof UnixOperatingSystemMXBean system
                        ? system.getMaxFileDescriptorCount()
                        : 0;
        int files = (int) Math.max(openFilesMax, Math.min(limit / 4, OPEN_FILES_LIMIT));
        return new LogOptions(
                segmentLengthMaxBytes,
                files,
                bufferLengthBytes,
                bufferCountMax,
                Math.max(cachedLogsMax, files / 4));
    }

    private static void require(boolean holds, String name, long value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is out of range: " + value);
        }
    }
}
