package org.metaq.store.log;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Appends to a file through a buffer that it borrows only while it holds something. Confined to the
 * writer.
 */
final class BufferedWriter {
    private final BufferPool pool;
    private @Nullable SharedFile file;
    private @Nullable ByteBuffer buffer;
    private long writtenPosition;

    BufferedWriter(BufferPool pool) {
        this.pool = pool;
    }

    /** Goes on in a file; nothing may be buffered. */
    void continueAt(SharedFile next, long position) {
        file = next;
        writtenPosition = position;
    }

    /** Appends all of it; what does not fit the buffer goes to the file now. */
    void write(ByteBuffer bytes) {
        ByteBuffer to = buffer;
        if (to == null) {
            to = pool.take();
            buffer = to;
        }
        if (to == null) {
            writeThrough(bytes);
            return;
        }
        if (bytes.isDirect() && bytes.remaining() >= to.capacity()) {
            drain(to);
            writeThrough(bytes);
            return;
        }
        // A long heap buffer goes in pieces too: handed to the channel whole, the JDK would copy it
        // to a direct buffer of its length and keep that for the thread.
        while (bytes.hasRemaining()) {
            int count = Math.min(to.remaining(), bytes.remaining());
            to.put(to.position(), bytes, bytes.position(), count);
            to.position(to.position() + count);
            bytes.position(bytes.position() + count);
            if (!to.hasRemaining()) {
                drain(to);
            }
        }
    }

    /** Hands what is buffered to the file and the buffer back. */
    void flush() {
        ByteBuffer from = buffer;
        if (from != null) {
            drain(from);
            discard();
        }
    }

    /** Forgets what is buffered. */
    void discard() {
        ByteBuffer from = buffer;
        if (from != null) {
            buffer = null;
            pool.giveBack(from);
        }
    }

    private void drain(ByteBuffer from) {
        if (from.position() > 0) {
            writeThrough(from.flip());
            from.clear();
        }
    }

    private void writeThrough(ByteBuffer bytes) {
        SharedFile to = file;
        if (to == null) {
            throw new IllegalStateException("no file to write to");
        }
        int length = bytes.remaining();
        to.write(bytes, writtenPosition);
        writtenPosition += length;
    }
}
