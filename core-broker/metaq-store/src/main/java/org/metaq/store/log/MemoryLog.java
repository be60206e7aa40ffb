package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The log of a temporary destination: in memory, gone with the process. Memory of a message is
 * freed as soon as its sequence is released. Offsets are those that a {@link PartitionLog} would
 * give.
 *
 * <p>Messages lie in chunks of a fixed number. The writer fills and clears them; {@code view} is
 * written by the writer and read by all, after the messages that it publishes. A reader that meets
 * a cleared message finds nothing there, as if it had come later.
 */
public final class MemoryLog implements MessageLog {
    private static final int CHUNK_LENGTH = 64;

    private record Entry(MessageMeta meta, byte[] message) {}

    /** Chunk i holds the sequences from (firstChunk + i) * CHUNK_LENGTH on. */
    private record View(@Nullable Entry[][] chunks, long firstChunk, long start, long end) {}

    private final String name;
    // Writer only; replaced when a chunk comes or goes, as views hold it.
    private @Nullable Entry[][] chunks = new Entry[0][];
    private long firstChunk;
    private long startSequence;
    private long startOffset;
    private long nextSequence;
    private long nextOffset;
    private volatile View view = new View(chunks, 0, 0, 0);

    /**
     * An empty log.
     *
     * @param name for messages
     */
    public MemoryLog(String name) {
        this.name = name;
    }

    @Override
    public long append(
            ByteBuffer message, long timestampMs, long expirationMs, int priority, int flags) {
        IndexFormat.requireValid(message, priority, flags);
        byte[] copy = new byte[message.remaining()];
        message.duplicate().get(copy);
        int chunk = (int) (nextSequence / CHUNK_LENGTH - firstChunk);
        if (chunk == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunk + 1);
            chunks[chunk] = new Entry[CHUNK_LENGTH];
        }
        chunks[chunk][(int) (nextSequence % CHUNK_LENGTH)] =
                new Entry(
                        new MessageMeta(
                                nextOffset,
                                copy.length,
                                timestampMs,
                                expirationMs,
                                priority,
                                flags),
                        copy);
        nextOffset += copy.length;
        return nextSequence++;
    }

    /** {@inheritDoc} Here it is held in memory like any other. */
    @Override
    public long append(
            ByteBuffer header,
            BodyPieces body,
            long timestampMs,
            long expirationMs,
            int priority,
            int flags) {
        ByteBuffer message = ByteBuffer.allocate(IndexFormat.messageLength(header));
        message.put(header.duplicate());
        body.forEach(piece -> message.put(piece.duplicate()));
        return append(message.flip(), timestampMs, expirationMs, priority, flags);
    }

    @Override
    public void publish() {
        view = new View(chunks, firstChunk, startSequence, nextSequence);
    }

    /** {@inheritDoc} Writer thread. */
    @Override
    public long startSequence() {
        return startSequence;
    }

    /** {@inheritDoc} Writer thread. */
    @Override
    public long endSequence() {
        return nextSequence;
    }

    @Override
    public long publishedEndSequence() {
        return view.end();
    }

    /** {@inheritDoc} Writer thread. */
    @Override
    public long startOffset() {
        return startOffset;
    }

    /** {@inheritDoc} Writer thread. */
    @Override
    public long endOffset() {
        return nextOffset;
    }

    @Override
    public MessageMeta meta(long sequence) {
        return published(sequence).meta();
    }

    @Override
    public MessageBytes bytes(long sequence) {
        return new HeapMessageBytes(published(sequence).message());
    }

    /** {@inheritDoc} Here: frees every published message below it at once. */
    @Override
    public void releaseBelow(long sequence) {
        View now = view;
        long end = Math.min(sequence, now.end());
        if (end <= startSequence) {
            return;
        }
        for (long i = startSequence; i < end; i++) {
            @Nullable Entry[] chunk = chunks[(int) (i / CHUNK_LENGTH - firstChunk)];
            Entry entry = chunk[(int) (i % CHUNK_LENGTH)];
            if (entry != null) {
                startOffset = entry.meta().offset() + entry.meta().length();
                chunk[(int) (i % CHUNK_LENGTH)] = null;
            }
        }
        startSequence = end;
        int emptied = (int) (end / CHUNK_LENGTH - firstChunk);
        if (emptied > 0) {
            chunks = Arrays.copyOfRange(chunks, emptied, chunks.length);
            firstChunk += emptied;
        }
        view = new View(chunks, firstChunk, startSequence, now.end());
    }

    /** Frees all. */
    @Override
    public void close() {
        releaseBelow(Long.MAX_VALUE);
    }

    private Entry published(long sequence) {
        View now = view;
        if (sequence >= now.start() && sequence < now.end()) {
            int chunk = (int) (sequence / CHUNK_LENGTH - now.firstChunk());
            Entry entry = now.chunks()[chunk][(int) (sequence % CHUNK_LENGTH)];
            if (entry != null) {
                return entry;
            }
        }
        throw new IllegalArgumentException(
                "sequence %d of %s is not there; it holds %d to below %d"
                        .formatted(sequence, name, now.start(), now.end()));
    }
}
