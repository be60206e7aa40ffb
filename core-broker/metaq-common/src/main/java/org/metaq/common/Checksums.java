package org.metaq.common;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** The two checksums of the formats; neither method moves the buffer's position. */
public final class Checksums {
    private Checksums() {}

    /** MetaQ's message checksum: CRC-32 of the body, sign bit cleared; 0..2^31-1. */
    public static int messageChecksum(ByteBuffer body) {
        CRC32 crc = new CRC32();
        crc.update(body.duplicate());
        return (int) crc.getValue() & 0x7FFFFFFF;
    }

    /** CRC-32C of the remaining bytes, as in every file format of the store. */
    public static int crc32c(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }
}
