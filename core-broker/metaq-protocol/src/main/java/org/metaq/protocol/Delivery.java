package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One message of an {@code acquire} reply, which consists of runs. A run holds messages that are
 * next to each other in their partition, as they are stored there, so that it can go from file to
 * socket in one piece.
 *
 * <pre>
 * off len field                     (all integers big-endian)
 *   0   4 partition       int32
 *   4   8 sequence        int64, number of the first message in the partition; the others follow
 *  12   4 deliveryCount   int32, of each message, this delivery included, &gt;= 1
 *  16   1 flags           of each message; bit 0: may have been delivered before
 *  17   4 messageCount    int32, &gt;= 1
 *  21   n messages        one behind the other, as {@link MessageFormat} lays them out, which
 *                         gives the length of each
 * </pre>
 *
 * @param message the stored message, header included
 */
public record Delivery(
        int partition, long sequence, int deliveryCount, boolean redelivered, ByteBuffer message) {
    /** Length of what precedes the messages of a run. */
    public static final int PREFIX_LENGTH = 21;

    /** Writes the prefix of a run at the buffer's position and moves it past. */
    public static void putPrefix(
            ByteBuffer to,
            int partition,
            long sequence,
            int deliveryCount,
            boolean redelivered,
            int messageCount) {
        to.putInt(partition).putLong(sequence).putInt(deliveryCount);
        to.put((byte) (redelivered ? 1 : 0)).putInt(messageCount);
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
            if (in.remaining() < PREFIX_LENGTH) {
                throw new ProtocolException("run cut short: " + in.remaining() + " bytes left");
            }
            int partition = in.getInt();
            long sequence = in.getLong();
            int deliveryCount = in.getInt();
            boolean redelivered = (in.get() & 1) != 0;
            int messageCount = in.getInt();
            if (messageCount < 1) {
                throw new ProtocolException("run of " + messageCount + " messages");
            }
            for (int i = 0; i < messageCount; i++) {
                ByteBuffer message = readMessage(in);
                deliveries.add(
                        new Delivery(partition, sequence + i, deliveryCount, redelivered, message));
            }
        }
        return deliveries;
    }

    private static ByteBuffer readMessage(ByteBuffer in) throws ProtocolException {
        int at = in.position();
        if (in.remaining() < MessageFormat.HEADER_LENGTH) {
            throw new ProtocolException("delivery cut short: " + in.remaining() + " bytes left");
        }
        int bodyLength = in.getInt(at);
        if (bodyLength < 0 || bodyLength > in.remaining() - MessageFormat.HEADER_LENGTH) {
            throw new ProtocolException("delivery with a body of " + bodyLength + " bytes");
        }
        int length = MessageFormat.HEADER_LENGTH + bodyLength;
        in.position(at + length);
        return in.slice(at, length);
    }
}
