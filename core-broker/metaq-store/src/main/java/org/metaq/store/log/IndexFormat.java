package org.metaq.store.log;

import java.nio.ByteBuffer;
import org.metaq.common.Checksums;
import org.metaq.store.StoreException;

/**
 * Layout of a segment's index file: a header, then an entry per message, in order of sequence.
 *
 * <pre>
 * header, 32 bytes                  (all integers big-endian)
 * off len field
 *   0   4 magic          "MQIX"
 *   4   2 version        int16, 1
 *   6   2 oldestReader   int16, 1: oldest version whose reader understands the file
 *   8   8 startOffset    int64, byte offset of the segment, as in the file's name
 *  16   8 firstSequence  int64, sequence of the first entry
 *  24   4 reserved       0
 *  28   4 crc32c         uint32, over bytes 0..27
 *
 * entry, 32 bytes; entry i is at 32 + 32 * i
 *   0   8 offset         int64, byte offset in the partition log (not in the segment)
 *   8   8 timestamp      int64, when the broker stored it, ms since 1970
 *  16   8 expiration     int64, ms since 1970; 0: never
 *  24   4 length         int32, bytes of the message, header included, >= 20
 *  28   1 priority       int8, 0..9
 *  29   1 flags          uint8, bits of {@link MessageMeta}
 *  30   2 reserved       0
 * </pre>
 *
 * <p>An entry has no checksum: that each offset is the end of the message before it, up to the
 * segment's end, is checked whenever a page of entries is read.
 */
final class IndexFormat {
    static final int MAGIC = 0x4D514958;
    static final short VERSION = 1;
    static final short OLDEST_READER = 1;

    static final int VERSION_OFFSET = Integer.BYTES;
    static final int OLDEST_READER_OFFSET = VERSION_OFFSET + Short.BYTES;
    static final int START_OFFSET_OFFSET = OLDEST_READER_OFFSET + Short.BYTES;
    static final int FIRST_SEQUENCE_OFFSET = START_OFFSET_OFFSET + Long.BYTES;
    static final int HEADER_RESERVED_OFFSET = FIRST_SEQUENCE_OFFSET + Long.BYTES;
    static final int CRC_OFFSET = HEADER_RESERVED_OFFSET + Integer.BYTES;
    static final int HEADER_LENGTH = CRC_OFFSET + Integer.BYTES;

    static final int OFFSET_OFFSET = 0;
    static final int TIMESTAMP_OFFSET = OFFSET_OFFSET + Long.BYTES;
    static final int EXPIRATION_OFFSET = TIMESTAMP_OFFSET + Long.BYTES;
    static final int LENGTH_OFFSET = EXPIRATION_OFFSET + Long.BYTES;
    static final int PRIORITY_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    static final int FLAGS_OFFSET = PRIORITY_OFFSET + Byte.BYTES;
    static final int ENTRY_RESERVED_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    static final int ENTRY_LENGTH = ENTRY_RESERVED_OFFSET + Short.BYTES;

    /** Shortest message: MetaQ's header with an empty body. */
    static final int MESSAGE_LENGTH_MIN = 20;

    static final int PRIORITY_MAX = 9;
    static final int FLAGS_MAX = 0xFF;

    private IndexFormat() {}

    /** Where entry {@code i} of a file starts. */
    static long entryPosition(long i) {
        return HEADER_LENGTH + i * ENTRY_LENGTH;
    }

    static ByteBuffer header(long startOffset, long firstSequence) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH);
        header.putInt(MAGIC).putShort(VERSION).putShort(OLDEST_READER);
        header.putLong(startOffset).putLong(firstSequence).putInt(0);
        header.putInt(Checksums.crc32c(header.duplicate().flip()));
        return header.flip();
    }

    /**
     * First sequence of a file from its header.
     *
     * @throws StoreException CORRUPT or VERSION if it is not a header for that start
     */
    static long firstSequence(String path, ByteBuffer header, long startOffset) {
        int crc = Checksums.crc32c(header.duplicate().position(0).limit(CRC_OFFSET));
        if (header.getInt(0) != MAGIC || header.getInt(CRC_OFFSET) != crc) {
            throw corrupt(path, "must start with an index header whose checksum agrees");
        }
        if (header.getShort(OLDEST_READER_OFFSET) > VERSION) {
            throw new StoreException(
                    StoreException.Kind.VERSION,
                    "%s has version %d, which this release (version %d) cannot read; use a newer one"
                            .formatted(path, header.getShort(VERSION_OFFSET), VERSION));
        }
        if (header.getLong(START_OFFSET_OFFSET) != startOffset) {
            throw corrupt(
                    path,
                    "must be for the segment at %d, but is for the one at %d"
                            .formatted(startOffset, header.getLong(START_OFFSET_OFFSET)));
        }
        return header.getLong(FIRST_SEQUENCE_OFFSET);
    }

    static void putEntry(
            ByteBuffer to,
            int at,
            long offset,
            int length,
            long timestampMs,
            long expirationMs,
            int priority,
            int flags) {
        to.putLong(at + OFFSET_OFFSET, offset);
        to.putLong(at + TIMESTAMP_OFFSET, timestampMs);
        to.putLong(at + EXPIRATION_OFFSET, expirationMs);
        to.putInt(at + LENGTH_OFFSET, length);
        to.put(at + PRIORITY_OFFSET, (byte) priority);
        to.put(at + FLAGS_OFFSET, (byte) flags);
        to.putShort(at + ENTRY_RESERVED_OFFSET, (short) 0);
    }

    static MessageMeta entry(ByteBuffer from, int at) {
        return new MessageMeta(
                from.getLong(at + OFFSET_OFFSET),
                from.getInt(at + LENGTH_OFFSET),
                from.getLong(at + TIMESTAMP_OFFSET),
                from.getLong(at + EXPIRATION_OFFSET),
                from.get(at + PRIORITY_OFFSET),
                from.get(at + FLAGS_OFFSET) & FLAGS_MAX);
    }

    /**
     * Checks what goes into an entry.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    static void requireValid(ByteBuffer message, int priority, int flags) {
        int length = message.remaining();
        if (length < MESSAGE_LENGTH_MIN
                || message.getInt(message.position()) != length - MESSAGE_LENGTH_MIN) {
            throw new IllegalArgumentException(
                    "not one whole message: " + length + " bytes do not agree with their header");
        }
        requireValid(priority, flags);
    }

    /**
     * Length of a message by its header.
     *
     * @throws IllegalArgumentException if it is not a header
     */
    static int messageLength(ByteBuffer header) {
        int length = header.remaining();
        int bodyLength = length == MESSAGE_LENGTH_MIN ? header.getInt(header.position()) : -1;
        if (bodyLength < 0 || bodyLength > Integer.MAX_VALUE - MESSAGE_LENGTH_MIN) {
            throw new IllegalArgumentException(
                    "not a message's header: " + length + " bytes, body of " + bodyLength);
        }
        return MESSAGE_LENGTH_MIN + bodyLength;
    }

    static void requireValid(int priority, int flags) {
        if (priority < 0 || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException("priority must be 0..9, not " + priority);
        }
        if (flags < 0 || flags > FLAGS_MAX) {
            throw new IllegalArgumentException("flags must be 0..255, not " + flags);
        }
    }

    static StoreException corrupt(String path, String expected) {
        return new StoreException(StoreException.Kind.CORRUPT, path + " " + expected);
    }
}
