package org.metaq.store.io;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.store.StoreException;

/** A directory that counts writes and forces of the segments and can fail on command. */
public final class CountingDirectory implements StoreDirectory {
    private final StoreDirectory to;
    public int writes;
    public int forces;
    public @Nullable StoreException failWrite;
    public @Nullable StoreException failForce;
    public @Nullable StoreException failPreallocate;

    public CountingDirectory(StoreDirectory to) {
        this.to = to;
    }

    @Override
    public StoreFile open(String path) {
        return new CountingFile(to.open(path));
    }

    @Override
    public boolean exists(String path) {
        return to.exists(path);
    }

    @Override
    public List<String> list(String path) {
        return to.list(path);
    }

    @Override
    public void createDirectories(String path) {
        to.createDirectories(path);
    }

    @Override
    public void rename(String from, String target) {
        to.rename(from, target);
    }

    @Override
    public void delete(String path) {
        to.delete(path);
    }

    @Override
    public void forceDirectory(String path) {
        to.forceDirectory(path);
    }

    @Override
    public long usableBytes() {
        return to.usableBytes();
    }

    @Override
    public String description() {
        return to.description();
    }

    private static void fail(@Nullable StoreException failure) {
        if (failure != null) {
            throw failure;
        }
    }

    private final class CountingFile implements StoreFile {
        private final StoreFile file;

        CountingFile(StoreFile file) {
            this.file = file;
        }

        @Override
        public String path() {
            return file.path();
        }

        @Override
        public long length() {
            return file.length();
        }

        @Override
        public int read(ByteBuffer buffer, long position) {
            return file.read(buffer, position);
        }

        @Override
        public void write(ByteBuffer from, long position) {
            fail(failWrite);
            if (path().endsWith(".journal")) {
                writes++;
            }
            file.write(from, position);
        }

        @Override
        public void write(ByteBuffer[] from, long position) {
            fail(failWrite);
            if (path().endsWith(".journal")) {
                writes++;
            }
            file.write(from, position);
        }

        @Override
        public void force(boolean metadata) {
            if (path().endsWith(".journal")) {
                forces++;
            }
            fail(failForce);
            file.force(metadata);
        }

        @Override
        public void truncate(long length) {
            file.truncate(length);
        }

        @Override
        public void preallocate(long length) {
            fail(failPreallocate);
            file.preallocate(length);
        }

        @Override
        public @Nullable FileChannel channel() {
            return file.channel();
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
