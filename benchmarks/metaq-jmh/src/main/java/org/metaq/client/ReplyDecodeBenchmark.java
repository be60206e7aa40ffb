package org.metaq.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Reply;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does the client's reader thread pay to find 64 answers to sends, or one reply with 64
 * messages of 1 KiB, in what it read? Time is per answer or message.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class ReplyDecodeBenchmark {
    private static final int COUNT = 64;
    private static final int BODY_LENGTH = 1024;

    private final FrameReader reader = new FrameReader(1 << 20);
    private final Bytes results = new Bytes(sendAnswers());
    private final Bytes deliveries = new Bytes(acquireReply());

    /** Answers to sends. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void results(Blackhole sink) throws IOException, ProtocolException {
        for (int i = 0; i < COUNT; i++) {
            sink.consume(next(results));
        }
    }

    /** The reply to an acquire. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public List<Delivery> deliveries() throws IOException, ProtocolException {
        if (!(next(deliveries) instanceof Reply.Value value)) {
            throw new IllegalStateException("no value");
        }
        return Delivery.readAll(value.body());
    }

    private Reply next(Bytes from) throws IOException, ProtocolException {
        Reply reply = reader.next();
        while (reply == null) {
            reader.readFrom(from);
            reply = reader.next();
        }
        return reply;
    }

    private static byte[] sendAnswers() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < COUNT; i++) {
            out.writeBytes(Reply.encodeResult(Reply.OK, "1125899906842624 0 1073741824", i));
        }
        return out.toByteArray();
    }

    private static byte[] acquireReply() {
        int length = MessageFormat.HEADER_LENGTH + BODY_LENGTH;
        ByteBuffer body = ByteBuffer.allocate(Delivery.PREFIX_LENGTH + COUNT * length);
        Delivery.putPrefix(body, 0, 1_000, 1, false, COUNT);
        for (int i = 0; i < COUNT; i++) {
            MessageFormat.putHeader(body, BODY_LENGTH, 0, i, 0);
            body.position(body.position() + BODY_LENGTH);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Reply.encodeValueLine(body.capacity(), 4_711));
        out.writeBytes(body.array());
        return out.toByteArray();
    }

    /** A socket from which the same bytes come again and again. */
    private static final class Bytes implements ReadableByteChannel {
        private final ByteBuffer content;

        Bytes(byte[] content) {
            this.content = ByteBuffer.allocateDirect(content.length).put(content).flip();
        }

        @Override
        public int read(ByteBuffer to) {
            if (!content.hasRemaining()) {
                content.rewind();
            }
            int count = Math.min(to.remaining(), content.remaining());
            to.put(content.slice(content.position(), count));
            content.position(content.position() + count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
