package org.metaq.store.journal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches that were appended and will be written together, encoded one after the other. Confined to
 * the writer thread.
 */
final class WriteGroup {
    private static final int BUFFER_LENGTH_MIN = 256 * 1024;

    private final List<PendingBatch> batches = new ArrayList<>();
    private final int bufferLengthMax;
    private ByteBuffer buffer;
    private int length;
    private int sends;
    private int transactions;
    private int syncs;

    WriteGroup(int bufferLengthMax) {
        this.bufferLengthMax = bufferLengthMax;
        this.buffer = ByteBuffer.allocateDirect(Math.min(BUFFER_LENGTH_MIN, bufferLengthMax));
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    /** Bytes encoded. */
    int length() {
        return length;
    }

    /** What was added, in order. */
    List<PendingBatch> batches() {
        return batches;
    }

    int sends() {
        return sends;
    }

    int transactions() {
        return transactions;
    }

    int syncs() {
        return syncs;
    }

    /** The buffer with {@code more} bytes of room behind {@link #length}. */
    ByteBuffer room(int more) {
        int needed = length + more;
        if (needed > buffer.capacity()) {
            int capacity = (int) Math.min(bufferLengthMax, 2L * buffer.capacity());
            ByteBuffer larger = ByteBuffer.allocateDirect(Math.max(needed, capacity));
            larger.put(0, buffer, 0, length);
            buffer = larger;
        }
        return buffer;
    }

    /** Takes a batch whose bytes were encoded at {@link #length}. */
    void add(PendingBatch pending, List<JournalRecord> records) {
        batches.add(pending);
        length += pending.length;
        for (int i = 0; i < records.size(); i++) {
            switch (records.get(i).need()) {
                case LAZY -> {
                    // Asks for nothing.
                }
                case SEND_POLICY -> sends++;
                case TRANSACTION_POLICY -> transactions++;
                case SYNC -> syncs++;
            }
        }
    }

    /** The bytes from {@code start} to {@code end}, to be written. */
    ByteBuffer bytes(int start, int end) {
        return buffer.limit(end).position(start);
    }

    /** The batch as it was written; its bodies may be used until {@link #clear}. */
    Batch decode(PendingBatch pending) {
        buffer.clear();
        return BatchCodec.decode(buffer, pending.index);
    }

    void clear() {
        batches.clear();
        buffer.clear();
        length = 0;
        sends = 0;
        transactions = 0;
        syncs = 0;
    }
}
