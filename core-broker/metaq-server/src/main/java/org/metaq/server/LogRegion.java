package org.metaq.server;

import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import org.metaq.store.log.MessageBytes;

/**
 * Bytes of a log that the kernel copies from file to socket. Unlike Netty's own region it does not
 * close the file, which is the log's.
 */
final class LogRegion extends AbstractReferenceCounted implements FileRegion {
    private final MessageBytes bytes;
    private final FileChannel file;
    private long transferred;

    /** A region that holds {@code bytes} until it is sent. */
    LogRegion(MessageBytes bytes, FileChannel file) {
        this.bytes = bytes;
        this.file = file;
    }

    @Override
    public long position() {
        return bytes.channelPosition();
    }

    @Override
    @Deprecated
    public long transfered() {
        return transferred;
    }

    @Override
    public long transferred() {
        return transferred;
    }

    @Override
    public long count() {
        return bytes.length();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        long left = count() - position;
        if (left <= 0) {
            return 0;
        }
        long start = position() + position;
        long sent = file.transferTo(start, left, target);
        if (sent > 0) {
            transferred += sent;
        } else if (file.size() <= start) {
            throw new IOException("log file ends at " + file.size() + ", before " + start);
        }
        return sent;
    }

    @Override
    protected void deallocate() {
        // the file is the log's, which closes it
    }

    @Override
    public FileRegion retain() {
        super.retain();
        return this;
    }

    @Override
    public FileRegion retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public FileRegion touch() {
        return this;
    }

    @Override
    public FileRegion touch(Object hint) {
        return this;
    }
}
