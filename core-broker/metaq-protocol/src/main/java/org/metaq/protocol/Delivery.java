package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One message of an {@code acquire} reply.
 *
 * <pre>
 * off len field                     (all integers big-endian)
 *   0   4 partition       int32
 *   4   8 sequence        int64, number of the message in the partition
 *  12   4 deliveryCount   int32, this delivery included, &gt;= 1
 *  16   1 flags           bit 0: may have been delivered before
 *  17   n message         as {@link MessageFormat} lays it out, which gives its length
 * </pre>
 *
 * @param message the stored message, header included
 */
public record Delivery(
        int partition, long sequence, int deliveryCount, boolean redelivered, ByteBuffer message) {
    /** Length of what precedes the message. */
    public static final int PREFIX_LENGTH = 17;

    /** Writes the prefix at the buffer's position and moves it past. */
    public static void putPrefix(
            ByteBuffer to, int partition, long sequence, int deliveryCount, boolean redelivered) {
        to.putInt(partition).putLong(sequence).putInt(deliveryCount);
        to.put((byte) (redelivered ? 1 : 0));
    }

    /**
     * Reads a reply's body; the messages are views of it.
     *
     * @throws ProtocolException if it is cut short or a length is negative
     */
    public static List<Delivery> readAll(ByteBuffer body) throws ProtocolException {
        List<Delivery> deliveries = new ArrayList<>();
        ByteBuffer in = body.duplicate();
        while (in.hasRemaining()) {
            if (in.remaining() < PREFIX_LENGTH + MessageFormat.HEADER_LENGTH) {
                throw new ProtocolException(
                        "delivery cut short: " + in.remaining() + " bytes left");
            }
            int partition = in.getInt();
            long sequence = in.getLong();
            int count = in.getInt();
            boolean redelivered = (in.get() & 1) != 0;
            int bodyLength = in.getInt(in.position());
            if (bodyLength < 0 || bodyLength > in.remaining() - MessageFormat.HEADER_LENGTH) {
                throw new ProtocolException("delivery with a body of " + bodyLength + " bytes");
            }
            int length = MessageFormat.HEADER_LENGTH + bodyLength;
            deliveries.add(
                    new Delivery(
                            partition,
                            sequence,
                            count,
                            redelivered,
                            in.slice(in.position(), length)));
            in.position(in.position() + length);
        }
        return deliveries;
    }
}
