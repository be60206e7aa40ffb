package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A bounded number of direct buffers of one length, made when needed. Confined to the writer. */
final class BufferPool {
    private final int lengthBytes;
    private final int countMax;
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private int count;

    BufferPool(int lengthBytes, int countMax) {
        this.lengthBytes = lengthBytes;
        this.countMax = countMax;
    }

    /** An empty buffer, or null if all are taken. */
    @Nullable ByteBuffer take() {
        ByteBuffer buffer = free.pollLast();
        if (buffer == null && count < countMax) {
            count++;
            buffer = ByteBuffer.allocateDirect(lengthBytes);
        }
        return buffer;
    }

    /** Takes back a buffer; what it holds is forgotten. */
    void giveBack(ByteBuffer buffer) {
        free.addLast(buffer.clear());
    }

    /** Buffers that are taken now. */
    int takenCount() {
        return count - free.size();
    }
}
