package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** Bytes in memory, which nobody changes. Immutable. */
final class HeapMessageBytes implements MessageBytes {
    private final byte[] bytes;

    HeapMessageBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public int length() {
        return bytes.length;
    }

    @Override
    public void copyTo(ByteBuffer to) {
        to.put(bytes);
    }

    @Override
    public void copyTo(int from, ByteBuffer to) {
        to.put(bytes, from, Math.min(bytes.length - from, to.remaining()));
    }

    @Override
    public @Nullable FileChannel channel() {
        return null;
    }

    @Override
    public long channelPosition() {
        return 0;
    }
}
