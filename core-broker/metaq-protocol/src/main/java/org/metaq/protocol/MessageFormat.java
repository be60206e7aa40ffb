package org.metaq.protocol;

import java.nio.ByteBuffer;

/**
 * Layout of a stored message: MetaQ's, on disk and in replies alike.
 *
 * <pre>
 * off len field                     (all integers big-endian)
 *   0   4 bodyLength   int32, 0..maxMessageSize
 *   4   4 checksum     int32, CRC-32 of the body, sign bit cleared
 *   8   8 messageId    int64, unique for good
 *  16   4 flag         int32, bits below
 *  20   n body         bodyLength bytes: [int32 attributeLength, attribute] payload
 * </pre>
 *
 * <p>A JMS message carries its headers and properties as the attribute ({@link Envelope}), so that
 * a classic client sees the plain payload.
 */
public final class MessageFormat {
    /** Offset of the body length. */
    public static final int BODY_LENGTH_OFFSET = 0;

    /** Offset of the checksum. */
    public static final int CHECKSUM_OFFSET = BODY_LENGTH_OFFSET + Integer.BYTES;

    /** Offset of the message id. */
    public static final int MESSAGE_ID_OFFSET = CHECKSUM_OFFSET + Integer.BYTES;

    /** Offset of the flag. */
    public static final int FLAG_OFFSET = MESSAGE_ID_OFFSET + Long.BYTES;

    /** Length of the header: where the body starts. */
    public static final int HEADER_LENGTH = FLAG_OFFSET + Integer.BYTES;

    /** Flag bit: the body starts with an attribute. MetaQ's. */
    public static final int FLAG_ATTRIBUTE = 1;

    /**
     * Flag bit: the attribute is an {@link Envelope}. Ours; never without {@link #FLAG_ATTRIBUTE}.
     */
    public static final int FLAG_ENVELOPE = 1 << 16;

    /**
     * Flag bit: the envelope has the property {@code JMSXGroupID}. Ours; counts with {@link
     * #FLAG_ENVELOPE} only.
     */
    public static final int FLAG_GROUP = 1 << 17;

    private MessageFormat() {}

    /** Writes a header at the buffer's position and moves it past. */
    public static void putHeader(
            ByteBuffer to, int bodyLength, int checksum, long messageId, int flag) {
        to.putInt(bodyLength).putInt(checksum).putLong(messageId).putInt(flag);
    }

    /** True if the flag says that the body starts with an attribute. */
    public static boolean hasAttribute(int flag) {
        return (flag & FLAG_ATTRIBUTE) != 0;
    }

    /**
     * Length of the attribute that a body starts with; -1 if the body does not hold one whole.
     *
     * @param body from its first byte on; is not moved
     */
    public static int attributeLength(ByteBuffer body) {
        return attributeLength(body, body.remaining());
    }

    /**
     * As {@link #attributeLength(ByteBuffer)}, of a body that is not all there.
     *
     * @param body its first 4 bytes at least, if it is so long
     * @param bodyLength its whole length
     */
    public static int attributeLength(ByteBuffer body, int bodyLength) {
        if (bodyLength < Integer.BYTES) {
            return -1;
        }
        int length = body.getInt(body.position());
        return length < 0 || length > bodyLength - Integer.BYTES ? -1 : length;
    }

    /** True if the flag says that an envelope is there. */
    public static boolean hasEnvelope(int flag) {
        return (flag & (FLAG_ENVELOPE | FLAG_ATTRIBUTE)) == (FLAG_ENVELOPE | FLAG_ATTRIBUTE);
    }

    /** True if the flag says that an envelope with a {@code JMSXGroupID} is there. */
    public static boolean hasGroup(int flag) {
        return hasEnvelope(flag) && (flag & FLAG_GROUP) != 0;
    }
}
