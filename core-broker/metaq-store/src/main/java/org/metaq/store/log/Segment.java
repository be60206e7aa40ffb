package org.metaq.store.log;

import java.nio.ByteBuffer;
import org.metaq.store.io.FileLength;

/**
 * One segment of a partition log: a file of messages and its index. Knows where it starts; where it
 * ends is the log's. Thread-safe: files may be read by any thread, {@code forcedLength} is written
 * by the thread that checkpoints and read by the writer.
 */
final class Segment {
    static final String DATA_SUFFIX = ".meta";
    static final String INDEX_SUFFIX = ".index";

    private static final int NAME_LENGTH = 20;

    private final long startOffset;
    private final long firstSequence;
    private final SharedFile data;
    private final SharedFile index;
    private volatile long forcedLength;
    // Set by whoever checks first; a second check does no harm.
    private volatile boolean isVerified;

    Segment(long startOffset, long firstSequence, SharedFile data, SharedFile index) {
        this.startOffset = startOffset;
        this.firstSequence = firstSequence;
        this.data = data;
        this.index = index;
    }

    /** A segment of a log's directory; touches no file. */
    static Segment at(LogContext context, String logPath, long startOffset, long firstSequence) {
        String path = logPath + "/" + name(startOffset);
        return new Segment(
                startOffset,
                firstSequence,
                context.file(path + DATA_SUFFIX),
                context.file(path + INDEX_SUFFIX));
    }

    /** File name without suffix: the start offset in 20 digits, as MetaQ writes it. */
    static String name(long startOffset) {
        String digits = Long.toString(startOffset);
        return "0".repeat(NAME_LENGTH - digits.length()) + digits;
    }

    long startOffset() {
        return startOffset;
    }

    long firstSequence() {
        return firstSequence;
    }

    SharedFile data() {
        return data;
    }

    SharedFile index() {
        return index;
    }

    /** Bytes of messages that are known to be durable, with their index. */
    long forcedLength() {
        return forcedLength;
    }

    void forced(long length) {
        forcedLength = length;
    }

    /** Makes messages and index durable. */
    void force() {
        data.force();
        index.force();
    }

    void create() {
        index.write(IndexFormat.header(startOffset, firstSequence), 0);
        isVerified = true;
    }

    FileLength dataLength(long endOffset) {
        return new FileLength(data.path(), endOffset - startOffset);
    }

    FileLength indexLength(long endSequence) {
        return new FileLength(index.path(), IndexFormat.entryPosition(endSequence - firstSequence));
    }

    void writeEntries(long sequence, ByteBuffer entries) {
        index.write(entries, IndexFormat.entryPosition(sequence - firstSequence));
    }

    /**
     * Reads entries of this segment.
     *
     * @param end where the segment's messages end
     * @throws org.metaq.store.StoreException CORRUPT if they do not chain
     */
    IndexPage readPage(long first, int count, long end) {
        verify();
        ByteBuffer entries = ByteBuffer.allocate(count * IndexFormat.ENTRY_LENGTH);
        index.readFully(entries, IndexFormat.entryPosition(first - firstSequence));
        long expected = first == firstSequence ? startOffset : -1;
        for (int at = 0; at < entries.capacity(); at += IndexFormat.ENTRY_LENGTH) {
            long offset = entries.getLong(at + IndexFormat.OFFSET_OFFSET);
            int length = entries.getInt(at + IndexFormat.LENGTH_OFFSET);
            int priority = entries.get(at + IndexFormat.PRIORITY_OFFSET);
            boolean chains = expected < 0 ? offset >= startOffset : offset == expected;
            if (!chains
                    || length < IndexFormat.MESSAGE_LENGTH_MIN
                    || length > end - offset
                    || priority < 0
                    || priority > IndexFormat.PRIORITY_MAX) {
                throw IndexFormat.corrupt(
                        index.path(),
                        "must hold at entry %d a message that starts where the one before ends and lies within %d..%d, but has %d bytes at %d with priority %d"
                                .formatted(
                                        first - firstSequence + at / IndexFormat.ENTRY_LENGTH,
                                        startOffset,
                                        end,
                                        length,
                                        offset,
                                        priority));
            }
            expected = offset + length;
        }
        return IndexPage.read(first, entries);
    }

    MessageBytes bytes(long offset, int length) {
        return new FileMessageBytes(data.acquire(), offset - startOffset, length);
    }

    void close() {
        data.close();
        index.close();
    }

    /** No reader finds it from now on but those that hold its files already. */
    void retire() {
        data.retire();
        index.retire();
    }

    private void verify() {
        if (!isVerified) {
            long first = readFirstSequence(index, startOffset);
            if (first != firstSequence) {
                throw IndexFormat.corrupt(
                        index.path(),
                        "must start at sequence %d, where the segment before ends, but starts at %d"
                                .formatted(firstSequence, first));
            }
            isVerified = true;
        }
    }

    static long readFirstSequence(SharedFile index, long startOffset) {
        ByteBuffer header = ByteBuffer.allocate(IndexFormat.HEADER_LENGTH);
        index.readFully(header, 0);
        return IndexFormat.firstSequence(index.path(), header, startOffset);
    }
}
