package org.metaq.store.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * First block of a segment file.
 *
 * <pre>
 *  off  len field                        (all integers big-endian)
 *    0    4 magic          "MQJS"
 *    4    4 version        int32, {@value #VERSION}: the release's that wrote it
 *    8    4 oldestReader   int32, lowest version that can read it
 *   12    4 crc32c         uint32, over bytes 0..12 and 16..4096
 *   16    8 firstEntry     int64, entry of the segment's first batch; the file's name says the same
 *   24    8 previousEpoch  int64, highest epoch seen before; 0 if there was none
 *   32 4064                zero
 * </pre>
 *
 * The block is forced before the file gets its name, so it is never torn: a segment with a damaged
 * header and batches is corrupt. The first 16 bytes and what the CRC covers are the same in all
 * versions.
 *
 * @param firstEntry entry of the first batch
 * @param previousEpoch highest epoch seen before
 */
record SegmentHeader(long firstEntry, long previousEpoch) {
    static final int MAGIC = 0x4D514A53;
    static final int VERSION = 1;
    static final int OLDEST_READER = 1;

    static final int MAGIC_OFFSET = 0;
    static final int MAGIC_LENGTH = 4;
    static final int VERSION_OFFSET = MAGIC_OFFSET + MAGIC_LENGTH;
    static final int VERSION_LENGTH = 4;
    static final int OLDEST_READER_OFFSET = VERSION_OFFSET + VERSION_LENGTH;
    static final int OLDEST_READER_LENGTH = 4;
    static final int CRC_OFFSET = OLDEST_READER_OFFSET + OLDEST_READER_LENGTH;
    static final int CRC_LENGTH = 4;
    static final int FIRST_ENTRY_OFFSET = CRC_OFFSET + CRC_LENGTH;
    static final int FIRST_ENTRY_LENGTH = 8;
    static final int PREVIOUS_EPOCH_OFFSET = FIRST_ENTRY_OFFSET + FIRST_ENTRY_LENGTH;

    /** Length of the block; the first batch starts here. */
    static final int LENGTH = 4096;

    /** How a block reads. */
    enum Condition {
        /** As it was written. */
        GOOD,
        /** Not a header, or damaged. */
        DAMAGED,
        /** Whole, and this release cannot read what follows. */
        NEWER
    }

    /** The block, ready to be written at the start of the file. */
    ByteBuffer encode() {
        ByteBuffer block = ByteBuffer.allocate(LENGTH);
        block.putInt(MAGIC_OFFSET, MAGIC);
        block.putInt(VERSION_OFFSET, VERSION);
        block.putInt(OLDEST_READER_OFFSET, OLDEST_READER);
        block.putLong(FIRST_ENTRY_OFFSET, firstEntry);
        block.putLong(PREVIOUS_EPOCH_OFFSET, previousEpoch);
        block.putInt(CRC_OFFSET, crc(block));
        return block;
    }

    /** What the first {@link #LENGTH} bytes of a file are; {@code block} may be shorter. */
    static Condition condition(ByteBuffer block) {
        if (block.limit() < LENGTH
                || block.getInt(MAGIC_OFFSET) != MAGIC
                || block.getInt(CRC_OFFSET) != crc(block)) {
            return Condition.DAMAGED;
        }
        return block.getInt(OLDEST_READER_OFFSET) > VERSION ? Condition.NEWER : Condition.GOOD;
    }

    /** The fields of a {@link Condition#GOOD} block. */
    static SegmentHeader decode(ByteBuffer block) {
        return new SegmentHeader(
                block.getLong(FIRST_ENTRY_OFFSET), block.getLong(PREVIOUS_EPOCH_OFFSET));
    }

    private static int crc(ByteBuffer block) {
        CRC32C crc = new CRC32C();
        crc.update(block.slice(0, CRC_OFFSET));
        crc.update(block.slice(FIRST_ENTRY_OFFSET, LENGTH - FIRST_ENTRY_OFFSET));
        return (int) crc.getValue();
    }
}
