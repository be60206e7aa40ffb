package org.metaq.store.log;

/**
 * What of a log is published: an immutable snapshot, so that its parts always belong together.
 *
 * @param segments in order; empty only if nothing was ever published
 * @param endSequence sequence after the last published message
 * @param endOffset byte offset after it
 */
record LogView(Segment[] segments, long endSequence, long endOffset) {
    static final LogView EMPTY = new LogView(new Segment[0], 0, 0);

    long startSequence() {
        return segments.length == 0 ? 0 : segments[0].firstSequence();
    }

    long startOffset() {
        return segments.length == 0 ? 0 : segments[0].startOffset();
    }

    void requirePublished(String path, long sequence) {
        if (sequence < startSequence() || sequence >= endSequence) {
            throw new IllegalArgumentException(
                    "sequence %d of %s is not there; it holds %d to below %d"
                            .formatted(sequence, path, startSequence(), endSequence));
        }
    }

    /** Index of the segment of a published sequence. */
    int segmentOfSequence(long sequence) {
        int low = 0;
        int high = segments.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments[middle].firstSequence() <= sequence) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Index of the segment of a published offset. */
    int segmentOfOffset(long offset) {
        int low = 0;
        int high = segments.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments[middle].startOffset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Where segment {@code i} ends, as far as it is published. */
    long segmentEndOffset(int i) {
        return i + 1 < segments.length ? segments[i + 1].startOffset() : endOffset;
    }

    /** Sequence after the last of segment {@code i}. */
    long segmentEndSequence(int i) {
        return i + 1 < segments.length ? segments[i + 1].firstSequence() : endSequence;
    }
}
