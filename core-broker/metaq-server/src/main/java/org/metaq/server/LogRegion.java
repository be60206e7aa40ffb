package org.metaq.server;

import io.netty.channel.DefaultFileRegion;
import java.nio.channels.FileChannel;
import org.metaq.store.log.MessageBytes;

/**
 * Bytes of a log that the kernel copies from file to socket (sendfile, which both transports use
 * for a {@link DefaultFileRegion} only). Unlike Netty's own region it does not close the file,
 * which is the log's.
 */
final class LogRegion extends DefaultFileRegion {
    /** Keeps the file open. */
    private final MessageBytes bytes;

    /** A region that holds {@code bytes} until it is sent. */
    LogRegion(MessageBytes bytes, FileChannel file) {
        super(file, bytes.channelPosition(), bytes.length());
        this.bytes = bytes;
    }

    @Override
    protected void deallocate() {
        bytes.release();
    }
}
