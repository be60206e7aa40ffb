package org.metaq.store.checkpoint;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.store.StoreException;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;

/** Fails the call that changes something for the n-th time, and all after it; notes them all. */
final class CrashingDirectory implements StoreDirectory {
    private final StoreDirectory disk;
    final List<String> changes = new ArrayList<>();
    private int changesLeft = Integer.MAX_VALUE;

    CrashingDirectory(StoreDirectory disk) {
        this.disk = disk;
    }

    void crashAfter(int changeCount) {
        changesLeft = changeCount;
    }

    private void change(String what) {
        if (changesLeft == 0) {
            throw new StoreException(StoreException.Kind.IO, "crashed before: " + what);
        }
        changesLeft--;
        changes.add(what);
    }

    @Override
    public StoreFile open(String path) {
        if (!disk.exists(path)) {
            change("create " + path);
        }
        return new CrashingFile(disk.open(path));
    }

    @Override
    public boolean exists(String path) {
        return disk.exists(path);
    }

    @Override
    public long length(String path) {
        return disk.length(path);
    }

    @Override
    public List<String> list(String path) {
        return disk.list(path);
    }

    @Override
    public void createDirectories(String path) {
        change("createDirectories " + path);
        disk.createDirectories(path);
    }

    @Override
    public void rename(String from, String to) {
        change("rename " + from + " " + to);
        disk.rename(from, to);
    }

    @Override
    public void delete(String path) {
        for (String name : disk.list(path)) {
            delete(path + "/" + name);
        }
        change("delete " + path);
        disk.delete(path);
    }

    @Override
    public void forceDirectory(String path) {
        change("force directory '" + path + "'");
        disk.forceDirectory(path);
    }

    @Override
    public long usableBytes() {
        return disk.usableBytes();
    }

    @Override
    public String description() {
        return disk.description();
    }

    private final class CrashingFile implements StoreFile {
        private final StoreFile file;

        CrashingFile(StoreFile file) {
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
        public int read(ByteBuffer to, long position) {
            return file.read(to, position);
        }

        @Override
        public void write(ByteBuffer from, long position) {
            change("write " + path());
            file.write(from, position);
        }

        @Override
        public void write(ByteBuffer[] from, long position) {
            change("write " + path());
            file.write(from, position);
        }

        @Override
        public void force(boolean metadata) {
            change("force " + path());
            file.force(metadata);
        }

        @Override
        public void truncate(long length) {
            change("truncate " + path());
            file.truncate(length);
        }

        @Override
        public void preallocate(long length) {
            change("preallocate " + path());
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
