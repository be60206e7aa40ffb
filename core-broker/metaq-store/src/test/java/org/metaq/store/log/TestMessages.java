package org.metaq.store.log;

import java.nio.ByteBuffer;
import org.metaq.common.Checksums;

/** Messages in MetaQ's format, and their bytes back. */
final class TestMessages {
    private TestMessages() {}

    /** A message of {@code length} bytes whose content depends on its id. */
    static ByteBuffer message(long id, int length) {
        ByteBuffer message = ByteBuffer.allocate(length);
        for (int i = 20; i < length; i++) {
            message.put(i, (byte) (id * 31 + i));
        }
        int checksum = Checksums.messageChecksum(message.duplicate().position(20));
        message.putInt(length - 20).putInt(checksum).putLong(id).putInt(0);
        return message.rewind();
    }

    static byte[] array(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.duplicate().get(bytes);
        return bytes;
    }

    static byte[] array(MessageBytes bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.length());
        bytes.copyTo(copy);
        bytes.release();
        return copy.array();
    }
}
