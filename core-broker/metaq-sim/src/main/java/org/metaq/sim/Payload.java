package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.zip.CRC32;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.MessageFormat;
import org.metaq.store.log.MessageBytes;

/**
 * Message bodies: int64 id, then filler that follows from the id, so that damage shows; behind an
 * envelope if the message is delayed or its priority is not the usual one.
 */
final class Payload {
    private Payload() {}

    /** Shortest body with an envelope. */
    static final int ENVELOPE_LENGTH_MIN = Integer.BYTES + Envelope.HEAD_LENGTH + Long.BYTES;

    private static final int PRIORITIES = 10;
    private static final int USUAL_PRIORITY = 4;

    /** Of so many messages in a row the last has another priority than the usual one. */
    private static final int PRIORITY_EVERY = 3;

    /** Of messages 3, 6, 9 and so on all priorities in turn; of others the usual one. */
    static int priority(long id) {
        return id % PRIORITY_EVERY != 0 ? USUAL_PRIORITY : (int) (id / PRIORITY_EVERY % PRIORITIES);
    }

    /** Whether a message has an envelope; the delivery time is 0 if it is not delayed. */
    static boolean hasEnvelope(long id, long deliveryTimeMs) {
        return deliveryTimeMs != 0 || priority(id) != USUAL_PRIORITY;
    }

    /** A body behind an envelope. */
    static ByteBuffer enveloped(long id, int length, long deliveryTimeMs) {
        byte[] envelope =
                new Envelope(
                                Envelope.BodyType.BYTES,
                                2,
                                priority(id),
                                1,
                                0,
                                deliveryTimeMs,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                Map.of())
                        .encode();
        int start = Integer.BYTES + envelope.length;
        ByteBuffer body = ByteBuffer.allocate(Math.max(ENVELOPE_LENGTH_MIN, length));
        return body.putInt(envelope.length).put(envelope).put(of(id, length - start)).flip();
    }

    static ByteBuffer of(long id, int length) {
        ByteBuffer body = ByteBuffer.allocate(Math.max(Long.BYTES, length));
        body.putLong(id);
        for (int i = Long.BYTES; i < body.capacity(); i++) {
            body.put(filler(id, i));
        }
        return body.flip();
    }

    private static byte filler(long id, int index) {
        return (byte) (id * 31 + index * 7L);
    }

    /**
     * The id of a stored message.
     *
     * @throws Violation if it is not as it was sent
     */
    static long idOf(MessageBytes bytes) {
        ByteBuffer message = ByteBuffer.allocate(bytes.length());
        bytes.copyTo(message);
        return idOf(message.flip());
    }

    /** The id of a message from its bytes, all of them and no more. */
    static long idOf(ByteBuffer stored) {
        ByteBuffer message = ByteBuffer.allocate(stored.remaining());
        message.put(stored).flip();
        int length = message.getInt(MessageFormat.BODY_LENGTH_OFFSET);
        if (length != message.remaining() - MessageFormat.HEADER_LENGTH || length < Long.BYTES) {
            throw new Violation("a message of " + message.limit() + " bytes says " + length);
        }
        CRC32 crc = new CRC32();
        crc.update(message.array(), MessageFormat.HEADER_LENGTH, length);
        int checksum = (int) crc.getValue() & Integer.MAX_VALUE;
        int start = MessageFormat.HEADER_LENGTH;
        if (MessageFormat.hasEnvelope(message.getInt(MessageFormat.FLAG_OFFSET))) {
            start += Integer.BYTES + message.getInt(start);
        }
        long id = message.getLong(start);
        for (int i = Long.BYTES; i < message.limit() - start; i++) {
            if (message.get(start + i) != filler(id, i)) {
                throw new Violation("message " + id + " is damaged at byte " + i);
            }
        }
        if (checksum != message.getInt(MessageFormat.CHECKSUM_OFFSET)) {
            throw new Violation("message " + id + " has a wrong checksum");
        }
        return id;
    }
}
