package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.metaq.protocol.MessageFormat;
import org.metaq.store.log.MessageBytes;

/** Message bodies: int64 id, then filler that follows from the id, so that damage shows. */
final class Payload {
    private Payload() {}

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
        long id = message.getLong(MessageFormat.HEADER_LENGTH);
        for (int i = Long.BYTES; i < length; i++) {
            if (message.get(MessageFormat.HEADER_LENGTH + i) != filler(id, i)) {
                throw new Violation("message " + id + " is damaged at byte " + i);
            }
        }
        if (checksum != message.getInt(MessageFormat.CHECKSUM_OFFSET)) {
            throw new Violation("message " + id + " has a wrong checksum");
        }
        return id;
    }
}
