package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.metaq.common.Checksums;
import org.metaq.common.Invariants;
import org.metaq.store.StoreException;
import org.metaq.store.io.FileLength;

/**
 * The pending messages of one large transaction or of many small ones, in the order in which they
 * were sent, or the pieces of one large message, so that they need not stay in memory. Confined to
 * the writer thread, but for {@link LogCut#force}. Not forced by itself: after a crash it is cut to
 * a checkpoint's length and what followed is appended again.
 *
 * <pre>
 * header, 16 bytes                  (all integers big-endian)
 * off len field
 *   0   4 magic          "MQSP"
 *   4   2 version        int16, 1
 *   6   2 oldestReader   int16, 1
 *   8   4 reserved       0
 *  12   4 crc32c         uint32, over bytes 0..11
 *
 * entry, after the header or the entry before
 *   0   4 length         int32, bytes of the payload, >= 0
 *   4   4 crc32c         uint32, over the length field and the payload
 *   8   n payload
 * </pre>
 */
public final class SpillFile implements AutoCloseable {
    /** Directory of the spill files, below the store's. */
    public static final String DIRECTORY = "spill";

    private static final String SUFFIX = ".spill";
    private static final int MAGIC = 0x4D515350;
    private static final short VERSION = 1;
    private static final int OLDEST_READER_OFFSET = Integer.BYTES + Short.BYTES;
    private static final int HEADER_CRC_OFFSET = OLDEST_READER_OFFSET + Short.BYTES + Integer.BYTES;
    private static final int HEADER_LENGTH = HEADER_CRC_OFFSET + Integer.BYTES;
    private static final int ENTRY_CRC_OFFSET = Integer.BYTES;
    private static final int ENTRY_HEADER_LENGTH = ENTRY_CRC_OFFSET + Integer.BYTES;

    private final LogContext context;
    private final SharedFile file;
    private final BufferedWriter writer;
    private final ByteBuffer entryHeader = ByteBuffer.allocate(ENTRY_HEADER_LENGTH);
    private final CRC32C crc = new CRC32C();
    private long length;
    // Written by the thread that forces, read there and by the writer.
    private volatile long forcedLength;
    private volatile boolean isNameForced;

    private SpillFile(LogContext context, String path, long length) {
        this.context = context;
        this.file = context.file(path);
        this.writer = new BufferedWriter(context.buffers());
        this.length = length;
        writer.continueAt(file, length);
    }

    /** Path of the spill file of an id, below the store's directory. */
    public static String path(long id) {
        return DIRECTORY + "/" + id + SUFFIX;
    }

    /**
     * Makes an empty one.
     *
     * @param path as {@link #path} gives it; no file of that name may be there
     */
    public static SpillFile create(LogContext context, String path) {
        Invariants.check(
                !context.directory().exists(path), "a spill file must not be there before", path);
        context.directory().createDirectories(DIRECTORY);
        SpillFile spill = new SpillFile(context, path, 0);
        ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH);
        header.putInt(MAGIC).putShort(VERSION).putShort(VERSION).putInt(0);
        header.putInt(Checksums.crc32c(header.duplicate().flip()));
        spill.writer.write(header.flip());
        spill.length = HEADER_LENGTH;
        return spill;
    }

    /**
     * Opens one at a restart, after it was cut to a checkpoint.
     *
     * @param length what {@link #length} was at the checkpoint
     * @throws StoreException CORRUPT if the file is missing or of another length, or not a spill
     *     file; VERSION if a newer release wrote it
     */
    public static SpillFile open(LogContext context, String path, long length) {
        long found = context.directory().length(path);
        if (found != length || length < HEADER_LENGTH) {
            throw IndexFormat.corrupt(
                    path,
                    found < 0
                            ? "must be there with %d bytes, but is not".formatted(length)
                            : "must be %d bytes long, but has %d".formatted(length, found));
        }
        SpillFile spill = new SpillFile(context, path, length);
        spill.readHeader();
        spill.forcedLength = length;
        spill.isNameForced = true;
        return spill;
    }

    /** Path below the store's directory. */
    public String path() {
        return file.path();
    }

    /** Bytes, those that are still buffered included. */
    public long length() {
        return length;
    }

    /**
     * Appends an entry; all that remains in the buffer, which is not moved.
     *
     * @throws StoreException if the disk fails; the file must not be used any more
     */
    public void append(ByteBuffer entry) {
        int entryLength = entry.remaining();
        entryHeader.clear().putInt(entryLength);
        entryHeader.putInt(checksum(entryLength, entry)).flip();
        writer.write(entryHeader);
        writer.write(entry.duplicate());
        length += ENTRY_HEADER_LENGTH + entryLength;
    }

    /** Hands what is buffered to the operating system, and the buffer back. Forces nothing. */
    public void flush() {
        writer.flush();
    }

    /** Makes all of it durable. */
    public void force() {
        cut().force();
    }

    /** The file as it is now, for a checkpoint; what is buffered is flushed before. */
    public LogCut cut() {
        flush();
        long cutLength = length;
        return new LogCut(
                List.of(new FileLength(file.path(), cutLength)), true, () -> forceTo(cutLength));
    }

    /**
     * Hands every entry to the consumer, in order; reads them with bounded memory: a buffer, or one
     * entry where that is longer.
     *
     * @param consumer gets each entry from position to limit; it is valid during the call only
     * @throws StoreException CORRUPT if an entry is damaged; those before it were handed over
     */
    public void forEach(Consumer<ByteBuffer> consumer) {
        forEach(HEADER_LENGTH, length, consumer);
    }

    /**
     * As {@link #forEach(Consumer)}, but some of the entries only, and no byte behind them.
     *
     * @param from what {@link #length} was before the first of them was appended
     * @param to what it was behind the last
     * @throws IllegalArgumentException if the file is not so long
     */
    public void forEach(long from, long to, Consumer<ByteBuffer> consumer) {
        if (from < HEADER_LENGTH || to < from || to > length) {
            throw new IllegalArgumentException(
                    "%s has no entries from %d to %d; its length is %d"
                            .formatted(path(), from, to, length));
        }
        flush();
        ByteBuffer pooled = context.buffers().take();
        ByteBuffer buffer =
                pooled != null
                        ? pooled
                        : ByteBuffer.allocate(context.options().bufferLengthBytes());
        try {
            read(buffer, from, to, consumer);
        } finally {
            if (pooled != null) {
                context.buffers().giveBack(pooled);
            }
        }
    }

    /** Closes the file; forgets what was not flushed. */
    @Override
    public void close() {
        writer.discard();
        file.close();
    }

    /**
     * Closes and deletes the file. Only for one that no checkpoint lists; others go through the
     * checkpoint store, which deletes them when the next checkpoint is durable.
     */
    public void delete() {
        close();
        context.directory().delete(file.path());
    }

    private void read(ByteBuffer buffer, long from, long to, Consumer<ByteBuffer> consumer) {
        long position = from;
        buffer.clear().limit(0);
        while (position < to) {
            fill(buffer, ENTRY_HEADER_LENGTH, position, to);
            int entryLength = buffer.getInt(buffer.position());
            int expectedCrc = buffer.getInt(buffer.position() + ENTRY_CRC_OFFSET);
            if (entryLength < 0 || entryLength > to - position - ENTRY_HEADER_LENGTH) {
                throw corruptEntry(position, "its length is %d".formatted(entryLength));
            }
            buffer.position(buffer.position() + ENTRY_HEADER_LENGTH);
            position += ENTRY_HEADER_LENGTH;
            ByteBuffer entry;
            if (entryLength <= buffer.capacity()) {
                fill(buffer, entryLength, position, to);
                entry = buffer.slice(buffer.position(), entryLength);
                buffer.position(buffer.position() + entryLength);
            } else {
                requireChecksum(buffer, entryLength, position, expectedCrc);
                entry = readLong(buffer, entryLength, position);
            }
            if (checksum(entryLength, entry) != expectedCrc) {
                throw corruptEntry(position - ENTRY_HEADER_LENGTH, "its checksum does not agree");
            }
            consumer.accept(entry);
            position += entryLength;
        }
    }

    /** Sees to it that the buffer holds {@code count} bytes from the file's position on. */
    private void fill(ByteBuffer buffer, int count, long position, long to) {
        if (buffer.remaining() < count) {
            long readPosition = position + buffer.remaining();
            if (to - position < count) {
                throw corruptEntry(position, "the file ends in it");
            }
            buffer.compact();
            buffer.limit((int) Math.min(buffer.capacity(), to - position));
            file.readFully(buffer, readPosition);
            buffer.flip();
        }
    }

    /** Before memory is taken for it: a damaged length must not take all there is. */
    private void requireChecksum(
            ByteBuffer buffer, int entryLength, long position, int expectedCrc) {
        startChecksum(entryLength);
        long end = position + entryLength;
        for (long at = position; at < end; at += buffer.capacity()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
            file.readFully(buffer, at);
            crc.update(buffer.flip());
        }
        if ((int) crc.getValue() != expectedCrc) {
            throw corruptEntry(position - ENTRY_HEADER_LENGTH, "its checksum does not agree");
        }
    }

    private ByteBuffer readLong(ByteBuffer buffer, int entryLength, long position) {
        ByteBuffer entry = ByteBuffer.allocate(entryLength);
        while (entry.hasRemaining()) {
            int done = entry.position();
            buffer.clear().limit(Math.min(buffer.capacity(), entry.remaining()));
            file.readFully(buffer, position + done);
            entry.put(buffer.flip());
        }
        return entry.flip();
    }

    private StoreException corruptEntry(long position, String what) {
        return IndexFormat.corrupt(
                file.path(), "must hold a whole entry at %d, but %s".formatted(position, what));
    }

    private int checksum(int entryLength, ByteBuffer entry) {
        startChecksum(entryLength);
        crc.update(entry.duplicate());
        return (int) crc.getValue();
    }

    private void startChecksum(int entryLength) {
        crc.reset();
        for (int shift = 24; shift >= 0; shift -= 8) {
            crc.update(entryLength >>> shift);
        }
    }

    private void readHeader() {
        ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH);
        file.readFully(header, 0);
        int headerCrc = Checksums.crc32c(header.duplicate().position(0).limit(HEADER_CRC_OFFSET));
        if (header.getInt(0) != MAGIC || header.getInt(HEADER_CRC_OFFSET) != headerCrc) {
            throw IndexFormat.corrupt(
                    file.path(), "must start with a spill file's header whose checksum agrees");
        }
        if (header.getShort(OLDEST_READER_OFFSET) > VERSION) {
            throw new StoreException(
                    StoreException.Kind.VERSION,
                    "%s was written by a newer release; use that one".formatted(file.path()));
        }
    }

    private void forceTo(long cutLength) {
        if (cutLength > forcedLength) {
            file.force();
        }
        if (!isNameForced) {
            context.directory().forceDirectory(DIRECTORY);
            isNameForced = true;
        }
        forcedLength = Math.max(forcedLength, cutLength);
    }
}
