package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in a segment, which stays open for them, deleted or not. Thread-safe: the file's bytes do
 * not change, the flag is atomic.
 */
final class FileMessageBytes implements MessageBytes {
    /** Longest single read: keeps the JDK's temporary direct buffers small. */
    private static final int READ_LENGTH_MAX = 256 * 1024;

    private final OpenFile file;
    private final long position;
    private final int length;
    private final AtomicBoolean isReleased = new AtomicBoolean();

    /** Takes over the caller's hold on the file. */
    FileMessageBytes(OpenFile file, long position, int length) {
        this.file = file;
        this.position = position;
        this.length = length;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void copyTo(ByteBuffer to) {
        if (isReleased.get()) {
            throw new IllegalStateException("these bytes were released");
        }
        int end = to.position() + length;
        int limit = to.limit();
        if (end > limit) {
            throw new java.nio.BufferOverflowException();
        }
        try {
            for (int done = 0; done < length; done = to.position() - (end - length)) {
                to.limit(Math.min(end, to.position() + READ_LENGTH_MAX));
                SharedFile.readFully(file, to, position + done);
            }
        } finally {
            to.limit(limit);
        }
    }

    @Override
    public @Nullable FileChannel channel() {
        return file.file().channel();
    }

    @Override
    public long channelPosition() {
        return position;
    }

    @Override
    public void release() {
        if (isReleased.compareAndSet(false, true)) {
            file.release();
        }
    }
}
