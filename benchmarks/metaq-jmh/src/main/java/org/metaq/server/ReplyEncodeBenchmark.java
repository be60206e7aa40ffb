package org.metaq.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.metaq.broker.OutboundDelivery;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.Reply;
import org.metaq.store.log.MemoryLog;
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
 * What does the broker pay to turn 64 answers to sends, or one reply with 64 messages of 1 KiB,
 * into buffers for the socket? Time is per answer or message; the messages are in memory, so that
 * the file is not measured.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class ReplyEncodeBenchmark {
    private static final int COUNT = 64;
    private static final int BODY_LENGTH = 1024;
    private static final ByteBuffer NO_HEAD = ByteBuffer.allocate(0);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ReplyWriter writer = new ReplyWriter(channel);
    private final List<OutboundDelivery> deliveries = new ArrayList<>();

    /** Fills a log with what is delivered. */
    @Setup
    public void prepare() {
        MemoryLog log = new MemoryLog("benchmark");
        ByteBuffer message = ByteBuffer.allocate(MessageFormat.HEADER_LENGTH + BODY_LENGTH);
        MessageFormat.putHeader(message, BODY_LENGTH, 0, 1, 0);
        message.rewind();
        for (int i = 0; i < COUNT; i++) {
            long sequence = log.append(message, 1, 0, 4, 0);
            log.publish();
            deliveries.add(new OutboundDelivery(0, sequence, 1, false, log.bytes(sequence)));
        }
    }

    /** Frees the channel's buffers. */
    @TearDown
    public void close() {
        channel.finishAndReleaseAll();
    }

    /** Answers to sends. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long results() {
        for (int i = 0; i < COUNT; i++) {
            writer.add(new Outbound.Result(i, Reply.OK, "1125899906842624 0 1073741824"));
        }
        return drained();
    }

    /** The reply to an acquire. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long deliveries() {
        writer.add(new Outbound.Deliveries(4_711, NO_HEAD, OutboundRun.of(deliveries)));
        return drained();
    }

    private long drained() {
        long length = 0;
        do {
            writer.drain();
            for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
                length += out.readableBytes();
                out.release();
            }
        } while (writer.isBehind());
        return length;
    }
}
