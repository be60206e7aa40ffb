package org.metaq.broker;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.MessageFormat;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;

/**
 * Reads headers and properties of messages. For messages that are asked for one after the other it
 * reads ahead, twice as far each time, so that looking through a backlog does not cost a call of
 * the operating system for each. Confined to the writer thread.
 */
final class MessageHeads {
    /** What is read of a message that is asked for alone: most heads end there. */
    private static final int READ_LENGTH_MIN = 4 * 1024;

    /** What is read ahead at most. */
    private static final int READ_LENGTH_MAX = 256 * 1024;

    /**
     * From the start of a message to that of the next one that is asked for: beyond it a call is
     * cheaper than the bytes between.
     */
    private static final int STRIDE_MAX = 8 * 1024;

    // What was read last: bytes of this log from this offset on. Made on first use.
    private ByteBuffer window = ByteBuffer.allocate(0);
    private @Nullable MessageLog windowLog;
    private long windowOffset;

    private long lastOffset;
    private int readLength;

    /**
     * The head of a published message, valid until the next call.
     *
     * @param log where it is
     * @param meta its index entry there
     */
    StoredMessage read(MessageLog log, long sequence, MessageMeta meta) {
        long stride = meta.offset() - lastOffset;
        lastOffset = meta.offset();
        long inWindow = meta.offset() - windowOffset;
        if (log == windowLog && inWindow >= 0 && inWindow < window.limit()) {
            int start = (int) inWindow;
            if (holdsHead(start, meta)) {
                return new StoredMessage(window, start);
            }
        }
        boolean isNext = log == windowLog && stride > 0 && stride <= STRIDE_MAX;
        readLength = isNext ? Math.min(2 * readLength, READ_LENGTH_MAX) : READ_LENGTH_MIN;
        fill(log, sequence, meta);
        return holdsHead(0, meta) ? new StoredMessage(window, 0) : readLong(log, sequence);
    }

    /** As {@link #read(MessageLog, long, MessageMeta)}. */
    StoredMessage read(MessageLog log, long sequence) {
        return read(log, sequence, log.meta(sequence));
    }

    private boolean holdsHead(int start, MessageMeta meta) {
        int there = Math.min(window.limit() - start, meta.length());
        int needed = Math.min(meta.length(), MessageFormat.HEADER_LENGTH + Integer.BYTES);
        return there >= needed && there >= StoredMessage.headLength(window, start);
    }

    private void fill(MessageLog log, long sequence, MessageMeta meta) {
        if (window.capacity() == 0) {
            window = ByteBuffer.allocateDirect(READ_LENGTH_MAX);
        }
        long wanted = readLength / meta.length();
        long last = Math.min(sequence + wanted, log.publishedEndSequence() - 1);
        MessageBytes bytes = log.bytes(sequence, last);
        try {
            window.clear().limit(Math.min(readLength, bytes.length()));
            bytes.copyTo(0, window);
            window.flip();
        } finally {
            bytes.release();
        }
        windowLog = log;
        windowOffset = meta.offset();
    }

    /** One whose head is too long for the window. */
    private StoredMessage readLong(MessageLog log, long sequence) {
        MessageBytes bytes = log.bytes(sequence);
        try {
            ByteBuffer head = ByteBuffer.allocate(StoredMessage.headLength(window, 0));
            bytes.copyTo(0, head);
            return new StoredMessage(head.flip(), 0);
        } finally {
            bytes.release();
        }
    }
}
