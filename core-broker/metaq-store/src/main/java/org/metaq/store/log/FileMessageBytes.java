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
        if (length > to.remaining()) {
            throw new java.nio.BufferOverflowException();
        }
        copyTo(0, to);
    }

    @Override
    public void copyTo(int from, ByteBuffer to) {
        if (isReleased.get()) {
            throw new IllegalStateException("these bytes were released");
        }
        int start = to.position();
        int limit = to.limit();
        int end = start + Math.min(length - from, to.remaining());
        try {
            while (to.position() < end) {
                long at = position + from + (to.position() - start);
                to.limit(Math.min(end, to.position() + READ_LENGTH_MAX));
                SharedFile.readFully(file, to, at);
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
    public @Nullable MessageBytes followedBy(MessageBytes next) {
        if (!(next instanceof FileMessageBytes other)
                || other.file != file
                || other.position != position + length
                || (long) length + other.length > Integer.MAX_VALUE) {
            return null;
        }
        other.release();
        // its hold is handed on
        isReleased.set(true);
        return new FileMessageBytes(file, position, length + other.length);
    }

    @Override
    public void release() {
        if (isReleased.compareAndSet(false, true)) {
            file.release();
        }
    }
}
