package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** Bytes of a log that stay readable while this is held. Thread-safe. */
public interface MessageBytes {
    /** How many. */
    int length();

    /** Copies all of them to the buffer's position and moves it past. */
    void copyTo(ByteBuffer to);

    /**
     * Copies as many of them as the buffer has room for and moves its position past.
     *
     * @param from where to begin, 0..{@link #length}
     */
    void copyTo(int from, ByteBuffer to);

    /** File for sendfile, or null if they are in memory or the disk is simulated. */
    @Nullable FileChannel channel();

    /** Position in {@link #channel}. */
    long channelPosition();

    /**
     * These bytes and the next in one.
     *
     * @return null if the next are not right behind these, in the same file; else what takes the
     *     place of both, of which neither must be used any more
     */
    default @Nullable MessageBytes followedBy(MessageBytes next) {
        return null;
    }

    /**
     * Tells that the caller is done with these bytes, so that their file can be closed early; they
     * must not be used afterwards. Whoever does not call it leaves that to the garbage collector.
     * Any thread; repeated calls do nothing.
     */
    default void release() {}
}
