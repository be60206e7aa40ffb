package org.metaq.sim;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;

/**
 * A planted fault: some forces of some files report success and do nothing, or are done later than
 * they say. Shows that the simulation would notice.
 */
final class FaultyDirectory implements StoreDirectory {
    /** What becomes of a force. */
    enum Fault {
        /** It is skipped. */
        SKIPPED,
        /** It is done at the next write: the answer was given before. */
        LATE
    }

    private final StoreDirectory disk;
    private final Fault fault;
    private final Predicate<String> isFaulty;
    private final int period;
    private int forces;

    /**
     * Over a disk.
     *
     * @param period every so many forces of these files one is faulty
     */
    FaultyDirectory(StoreDirectory disk, Fault fault, Predicate<String> isFaulty, int period) {
        this.disk = disk;
        this.fault = fault;
        this.isFaulty = isFaulty;
        this.period = period;
    }

    @Override
    public StoreFile open(String path) {
        StoreFile file = disk.open(path);
        return isFaulty.test(path) ? new FaultyFile(file) : file;
    }

    @Override
    public boolean exists(String path) {
        return disk.exists(path);
    }

    @Override
    public List<String> list(String path) {
        return disk.list(path);
    }

    @Override
    public void createDirectories(String path) {
        disk.createDirectories(path);
    }

    @Override
    public void createDirectoryAt(String path, String place) {
        disk.createDirectoryAt(path, place);
    }

    @Override
    public void rename(String from, String to) {
        disk.rename(from, to);
    }

    @Override
    public void delete(String path) {
        disk.delete(path);
    }

    @Override
    public void forceDirectory(String path) {
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

    private final class FaultyFile implements StoreFile {
        private final StoreFile file;
        private boolean isOwing;

        FaultyFile(StoreFile file) {
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
            payDebt();
            file.write(from, position);
        }

        @Override
        public void write(ByteBuffer[] from, long position) {
            payDebt();
            file.write(from, position);
        }

        @Override
        public void force(boolean metadata) {
            if (++forces % period != 0) {
                file.force(metadata);
            } else {
                isOwing = fault == Fault.LATE;
            }
        }

        private void payDebt() {
            if (isOwing) {
                isOwing = false;
                file.force(false);
            }
        }

        @Override
        public void truncate(long length) {
            file.truncate(length);
        }

        @Override
        public void preallocate(long length) {
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
