package org.metaq.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.metaq.common.Checksums;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Durability;
import org.metaq.protocol.Settlement;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does a command cost between its object and its bytes, at the client that encodes it and at
 * the broker that finds 64 of them in what it read from a socket? Time is per command; the body of
 * the send is 1 KiB.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class CommandCodecBenchmark {
    private static final int COMMANDS = 64;
    private static final int BODY_LENGTH = 1024;
    private static final int BODY_LENGTH_MAX = 1 << 20;

    /** What the command is. */
    @Param public Kind kind = Kind.SEND;

    private Command command;
    private ByteBuf bytes;
    private CommandDecoder decoder;

    /** The commands of a message's life. */
    public enum Kind {
        /** One message. */
        SEND,
        /** A request for up to 1,000 messages. */
        ACQUIRE,
        /** 1,000 messages in one range. */
        ACKNOWLEDGE_RANGE,
        /** 100 messages, none beside the other. */
        ACKNOWLEDGE_SCATTERED;

        private Command example() {
            return switch (this) {
                case SEND -> send();
                case ACQUIRE -> new Command.Acquire(17, 1_000, 1 << 20, 20_000, 4_711);
                case ACKNOWLEDGE_RANGE ->
                        acknowledge(List.of(new SequenceRange(1_000_000, 1_000_999)));
                case ACKNOWLEDGE_SCATTERED ->
                        acknowledge(
                                LongStream.range(0, 100)
                                        .mapToObj(i -> new SequenceRange(2 * i, 2 * i))
                                        .toList());
            };
        }

        private static Command send() {
            ByteBuffer body = ByteBuffer.allocate(BODY_LENGTH);
            return new Command.Send(
                    "q.orders",
                    -1,
                    0,
                    Checksums.messageChecksum(body),
                    6_148_914_691_236_517_205L,
                    1_000_000,
                    Durability.POLICY,
                    null,
                    body,
                    4_711);
        }

        private static Command acknowledge(List<SequenceRange> ranges) {
            Settlement settlement = new Settlement(List.of(new Settlement.Entry(42, 0, ranges)));
            return new Command.Acknowledge(settlement, Command.QUIET);
        }
    }

    /** Encodes the commands to be decoded. */
    @Setup
    public void prepare() {
        command = kind.example();
        decoder =
                new CommandDecoder(
                        BODY_LENGTH_MAX,
                        BODY_LENGTH_MAX,
                        new BodyMemory(BODY_LENGTH_MAX),
                        () -> {});
        bytes = Unpooled.directBuffer();
        for (int i = 0; i < COMMANDS; i++) {
            CommandCodec.Frame frame = CommandCodec.encode(command);
            bytes.writeBytes(frame.line()).writeBytes(frame.body().duplicate());
        }
    }

    /** The client's side. */
    @Benchmark
    public CommandCodec.Frame encode() {
        return CommandCodec.encode(command);
    }

    /** The broker's side, from a direct buffer as sockets fill it. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public void decode(Blackhole sink) throws ProtocolViolation {
        bytes.readerIndex(0);
        for (int i = 0; i < COMMANDS; i++) {
            if (!(decoder.decode(bytes) instanceof CommandDecoder.Accepted accepted)) {
                throw new IllegalStateException("command " + i + " was not accepted");
            }
            sink.consume(accepted);
        }
    }
}
