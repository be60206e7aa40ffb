package org.metaq.store.log;

/**
 * A segment of a partition log that gets no more messages.
 *
 * @param startOffset byte offset of its first message
 * @param endOffset byte offset after its last
 * @param firstSequence sequence of its first message
 * @param endSequence sequence after its last
 */
public record ClosedSegment(
        long startOffset, long endOffset, long firstSequence, long endSequence) {
    /** Bytes of its messages. */
    public long length() {
        return endOffset - startOffset;
    }
}
