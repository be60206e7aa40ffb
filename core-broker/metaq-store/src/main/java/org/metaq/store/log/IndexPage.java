package org.metaq.store.log;

import java.nio.ByteBuffer;

/**
 * Index entries of consecutive sequences of one segment, in memory. Either full when it was made,
 * or the tail that the writer fills; an entry never changes once it is there, so any thread may
 * read those that are published (the publication orders the accesses).
 */
final class IndexPage {
    /** Entries at most. */
    static final int ENTRY_COUNT_MAX = 256;

    private final long firstSequence;
    private final ByteBuffer entries;
    private final int capacity;
    // Writer only.
    private int count;
    private int writtenCount;

    private IndexPage(long firstSequence, ByteBuffer entries, int count) {
        this.firstSequence = firstSequence;
        this.entries = entries;
        this.capacity = entries.capacity() / IndexFormat.ENTRY_LENGTH;
        this.count = count;
        this.writtenCount = count;
    }

    /** An empty page for the writer to fill. */
    static IndexPage tail(long firstSequence) {
        int length = ENTRY_COUNT_MAX * IndexFormat.ENTRY_LENGTH;
        return new IndexPage(firstSequence, ByteBuffer.allocate(length), 0);
    }

    /** A page of what was read from a file. */
    static IndexPage read(long firstSequence, ByteBuffer entries) {
        return new IndexPage(firstSequence, entries, entries.capacity() / IndexFormat.ENTRY_LENGTH);
    }

    long firstSequence() {
        return firstSequence;
    }

    boolean isFull() {
        return count == capacity;
    }

    /** Whether a published sequence is here. */
    boolean covers(long sequence) {
        long i = sequence - firstSequence;
        return i >= 0 && i < capacity;
    }

    MessageMeta entry(long sequence) {
        return IndexFormat.entry(
                entries, (int) (sequence - firstSequence) * IndexFormat.ENTRY_LENGTH);
    }

    /** As {@link MessageLog#endOfAlike}, not beyond the end of this page. */
    long endOfAlike(long first, long end) {
        int i = (int) (first - firstSequence);
        int last = (int) Math.min(end - firstSequence, capacity);
        short kind = kind(i);
        do {
            i++;
        } while (i < last && kind(i) == kind);
        return firstSequence + i;
    }

    /** Priority and flags, which lie side by side. */
    private short kind(int i) {
        return entries.getShort(i * IndexFormat.ENTRY_LENGTH + IndexFormat.PRIORITY_OFFSET);
    }

    void add(
            long offset, int length, long timestampMs, long expirationMs, int priority, int flags) {
        IndexFormat.putEntry(
                entries,
                count * IndexFormat.ENTRY_LENGTH,
                offset,
                length,
                timestampMs,
                expirationMs,
                priority,
                flags);
        count++;
    }

    boolean hasUnwritten() {
        return writtenCount < count;
    }

    /** Sequence of the first entry that is not in the file. */
    long firstUnwrittenSequence() {
        return firstSequence + writtenCount;
    }

    /** The entries that are not in the file; from now on they count as written. */
    ByteBuffer takeUnwritten() {
        int from = writtenCount * IndexFormat.ENTRY_LENGTH;
        writtenCount = count;
        return entries.slice(from, count * IndexFormat.ENTRY_LENGTH - from);
    }
}
