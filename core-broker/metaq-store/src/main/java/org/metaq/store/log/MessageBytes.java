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

    /** File for sendfile, or null if they are in memory or the disk is simulated. */
    @Nullable FileChannel channel();

    /** Position in {@link #channel}. */
    long channelPosition();
}
