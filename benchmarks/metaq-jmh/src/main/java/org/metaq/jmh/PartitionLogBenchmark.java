package org.metaq.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.metaq.protocol.MessageFormat;
import org.metaq.store.io.DiskDirectory;
import org.metaq.store.log.LogContext;
import org.metaq.store.log.LogOptions;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.MessageMeta;
import org.metaq.store.log.PartitionLog;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a message of 1 KiB cost in a partition log: to append it alone or in a batch of 64, to
 * find it in the index in order and at random, and to read its bytes? Time is per message; nothing
 * is forced, and what is read is in the page cache.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class PartitionLogBenchmark {
    private static final int BATCH = 64;
    private static final int BODY_LENGTH = 1024;
    private static final int MESSAGES = 100_000;
    private static final long SEGMENT_LENGTH = 64 << 20;

    private final ByteBuffer message = message();
    private final ByteBuffer target = ByteBuffer.allocateDirect(message.capacity());
    private final SplittableRandom random = new SplittableRandom(1);

    private TemporaryFolder folder;
    private LogContext context;
    private PartitionLog appended;
    private PartitionLog read;
    private long next;

    /** Opens an empty log, and one with 100,000 messages. */
    @Setup
    public void open() throws IOException {
        folder = new TemporaryFolder();
        context =
                new LogContext(
                        DiskDirectory.open(folder.path()),
                        LogOptions.defaults().withSegmentLengthMaxBytes(SEGMENT_LENGTH));
        appended = PartitionLog.open(context, "appended");
        read = PartitionLog.open(context, "read");
        for (int i = 0; i < MESSAGES; i++) {
            read.append(message, 1, 0, 4, 0);
        }
        read.publish();
    }

    /** Deletes them. */
    @TearDown
    public void close() throws IOException {
        appended.close();
        read.close();
        context.close();
        folder.close();
    }

    /** Appends and publishes one. */
    @Benchmark
    public long appendAlone() {
        long sequence = appended.append(message, 1, 0, 4, 0);
        appended.publish();
        trim(sequence);
        return sequence;
    }

    /** Appends 64 and publishes them together. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long appendBatch() {
        long sequence = 0;
        for (int i = 0; i < BATCH; i++) {
            sequence = appended.append(message, 1, 0, 4, 0);
        }
        appended.publish();
        trim(sequence);
        return sequence;
    }

    /** Finds the next. */
    @Benchmark
    public MessageMeta findInOrder() {
        return read.meta(nextSequence());
    }

    /** Finds any. */
    @Benchmark
    public MessageMeta findAtRandom() {
        return read.meta(random.nextInt(MESSAGES));
    }

    /** Reads the next. */
    @Benchmark
    public ByteBuffer readInOrder() {
        MessageBytes bytes = read.bytes(nextSequence());
        bytes.copyTo(target.clear());
        bytes.release();
        return target;
    }

    private long nextSequence() {
        next = (next + 1) % MESSAGES;
        return next;
    }

    /** So that the disk does not fill. */
    private void trim(long sequence) {
        if ((sequence + 1) % MESSAGES < BATCH) {
            appended.trim(sequence, file -> {});
        }
    }

    private static ByteBuffer message() {
        ByteBuffer message = ByteBuffer.allocateDirect(MessageFormat.HEADER_LENGTH + BODY_LENGTH);
        MessageFormat.putHeader(message, BODY_LENGTH, 0, 1, 0);
        return message.rewind();
    }
}
