package org.metaq.jmh;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.message.AllowList;
import org.metaq.jms.message.EncodedMessage;
import org.metaq.jms.message.MessageCodec;
import org.metaq.jms.message.MetaQBytesMessage;
import org.metaq.jms.message.MetaQMapMessage;
import org.metaq.jms.message.MetaQMessage;
import org.metaq.jms.message.MetaQTextMessage;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.MessageFormat;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a JMS message cost its producer to encode, checksum included, and its consumer to
 * decode? Bodies are some 1 KiB; the map has ten entries and the message ten properties beside it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class MessageCodecBenchmark {
    private static final int BODY_LENGTH = 1024;
    private static final int ENTRIES = 10;

    /** What the message is. */
    @Param public Kind kind = Kind.BYTES;

    private MetaQMessage message;
    private Delivery delivery;

    /** The messages. */
    public enum Kind {
        /** Bytes, no properties. */
        BYTES,
        /** ASCII text, no properties. */
        TEXT,
        /** A map, with properties. */
        MAP;

        private MetaQMessage example() throws JMSException {
            return switch (this) {
                case BYTES -> {
                    MetaQBytesMessage bytes = new MetaQBytesMessage();
                    bytes.writeBytes(new byte[BODY_LENGTH]);
                    yield bytes;
                }
                case TEXT -> new MetaQTextMessage("x".repeat(BODY_LENGTH));
                case MAP -> {
                    MetaQMapMessage map = new MetaQMapMessage();
                    for (int i = 0; i < ENTRIES; i++) {
                        map.setString("entry" + i, "v".repeat(BODY_LENGTH / ENTRIES));
                        map.setLongProperty("property" + i, i);
                    }
                    yield map;
                }
            };
        }
    }

    /** Makes the message and its delivery. */
    @Setup
    public void prepare() throws JMSException {
        message = kind.example();
        message.setJMSDestination(new MetaQQueue("orders"));
        message.setJMSDeliveryMode(DeliveryMode.PERSISTENT);
        message.setJMSMessageID("ID:0-1-1-1-1");
        message.setJMSTimestamp(1_700_000_000_000L);
        EncodedMessage encoded = MessageCodec.encode(message, "0-1-1");
        int length = encoded.body().remaining();
        ByteBuffer stored = ByteBuffer.allocate(MessageFormat.HEADER_LENGTH + length);
        MessageFormat.putHeader(stored, length, encoded.checksum(), 1, encoded.flag());
        stored.put(encoded.body().duplicate()).flip();
        delivery = new Delivery(0, 1, 1, false, stored);
    }

    /** The producer's side. */
    @Benchmark
    public int encode() throws JMSException {
        return MessageCodec.encode(message, "0-1-1").checksum();
    }

    /** The consumer's side, up to the message that it is handed. */
    @Benchmark
    public MetaQMessage decode() throws JMSException {
        return MessageCodec.decode(delivery, AllowList.DEFAULT);
    }
}
