package org.metaq.store.io;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.metaq.store.StoreException;

/**
 * An open file with positional access. Every method throws {@link StoreException} when the disk
 * does. One thread writes; any may read what was written.
 */
public interface StoreFile extends AutoCloseable {
    /** Path below its directory, for messages. */
    String path();

    /** Length in bytes. */
    long length();

    /**
     * Reads at {@code position} until {@code to} is full or the file ends.
     *
     * @return bytes read, 0 or more
     */
    int read(ByteBuffer to, long position);

    /** Writes all of {@code from} at {@code position}; not durable before {@link #force}. */
    void write(ByteBuffer from, long position);

    /** Writes all of all buffers, one after the other, from {@code position} on. */
    void write(ByteBuffer[] from, long position);

    /**
     * Makes what was written durable.
     *
     * @param metadata whether the length, too (needed after the file grew)
     */
    void force(boolean metadata);

    /** Cuts the file to {@code length}; longer or equal: nothing happens. */
    void truncate(long length);

    /**
     * Gives the file at least {@code length} bytes of real disk space, zeroes where nothing was
     * written, and forces it, so that later writes below that change no metadata.
     */
    void preallocate(long length);

    /** The channel for sendfile, or null where there is none (simulation). */
    @Nullable FileChannel channel();

    /** Closes it; forces nothing. */
    @Override
    void close();
}
