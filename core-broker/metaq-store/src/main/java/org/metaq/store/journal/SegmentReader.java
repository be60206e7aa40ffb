package org.metaq.store.journal;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.metaq.store.io.StoreFile;

/** Reads a segment at a restart. Confined to the writer thread. */
final class SegmentReader {
    private static final int WINDOW_LENGTH = 1024 * 1024;

    /** What stands where the next batch should be. */
    enum Finding {
        /** The expected batch, whole. */
        VALID,
        /** No batch, or a torn or damaged one. */
        DAMAGED,
        /** An undamaged header of another entry than the expected. */
        OTHER_ENTRY,
        /** An undamaged header of an epoch before the previous batch's: left from a torn tail. */
        OLDER_EPOCH
    }

    /**
     * What undamaged headers behind the end of the journal tell.
     *
     * @param epochMax highest epoch of any of them; 0 if there is none
     * @param proof a header that shows that the missing entry was durable
     */
    record Leftovers(long epochMax, @Nullable Proof proof) {}

    /**
     * A header behind a missing entry, written when that was durable.
     *
     * @param entry its entry
     * @param position in the file
     */
    record Proof(long entry, long position) {}

    private final StoreFile file;
    private final long fileLength;
    private final long firstEntry;
    private final BatchCodec codec;
    private ByteBuffer window = ByteBuffer.allocate(WINDOW_LENGTH).limit(0);
    private long windowPosition;
    private int index;

    SegmentReader(StoreFile file, long firstEntry, BatchCodec codec) {
        this.file = file;
        this.fileLength = file.length();
        this.firstEntry = firstEntry;
        this.codec = codec;
    }

    /** The header's block; shorter if the file is. */
    ByteBuffer headerBlock() {
        ByteBuffer block = ByteBuffer.allocate(SegmentHeader.LENGTH);
        file.read(block, 0);
        return block.flip();
    }

    /** Looks for the expected batch at a position. */
    Finding look(long position, long expectedEntry, long previousEpoch) {
        if (!show(position, BatchCodec.HEADER_LENGTH)
                || !codec.isHeader(window, index, firstEntry, position)) {
            return Finding.DAMAGED;
        }
        if (BatchCodec.epoch(window, index) < previousEpoch) {
            return Finding.OLDER_EPOCH;
        }
        if (BatchCodec.entry(window, index) != expectedEntry) {
            return Finding.OTHER_ENTRY;
        }
        return show(position, BatchCodec.length(window, index)) && codec.isBodyWhole(window, index)
                ? Finding.VALID
                : Finding.DAMAGED;
    }

    /** Padded length of the batch that {@link #look} found valid. */
    long foundLength() {
        return BatchCodec.padded(BatchCodec.length(window, index));
    }

    /** Epoch of the batch that {@link #look} found valid. */
    long foundEpoch() {
        return BatchCodec.epoch(window, index);
    }

    /** The batch that {@link #look} found valid; it may be used until the next call. */
    Batch foundBatch() {
        return BatchCodec.decode(window, index);
    }

    /**
     * Looks for undamaged headers from a position to the end of the file.
     *
     * @param missingEntry the entry that is not there
     * @param previousEpoch epoch of the batch before it
     */
    Leftovers scan(long position, long missingEntry, long previousEpoch) {
        long epochMax = 0;
        Proof proof = null;
        long at = BatchCodec.padded(position);
        for (; show(at, BatchCodec.HEADER_LENGTH); at += BatchCodec.ALIGNMENT) {
            if (!codec.isHeader(window, index, firstEntry, at)) {
                continue;
            }
            long epoch = BatchCodec.epoch(window, index);
            epochMax = Math.max(epochMax, epoch);
            if (proof == null
                    && epoch >= previousEpoch
                    && BatchCodec.entry(window, index) > missingEntry
                    && BatchCodec.forcedEntry(window, index) >= missingEntry) {
                proof = new Proof(BatchCodec.entry(window, index), at);
            }
        }
        return new Leftovers(epochMax, proof);
    }

    /** Brings bytes into the window, at {@code index}; false if the file has not so many. */
    private boolean show(long position, int length) {
        if (length > fileLength - position) {
            return false;
        }
        long offset = position - windowPosition;
        if (offset < 0 || offset + length > window.limit()) {
            if (length > window.capacity()) {
                window = ByteBuffer.allocate(length);
            }
            window.clear();
            file.read(window, position);
            window.flip();
            windowPosition = position;
            offset = 0;
            if (window.limit() < length) {
                return false;
            }
        }
        index = (int) offset;
        return true;
    }
}
