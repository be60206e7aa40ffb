package org.metaq.store.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;

/** Real files below a temporary directory, which counts the calls that reach the system. */
public final class LogTestDirectory implements StoreDirectory {
    final AtomicInteger writeCount = new AtomicInteger();
    final AtomicInteger readCount = new AtomicInteger();
    final AtomicInteger forceCount = new AtomicInteger();
    final AtomicInteger openCount = new AtomicInteger();
    final AtomicInteger closeCount = new AtomicInteger();
    private final Path root;
    int forcesAtOnce = 1;

    /** Runs in each force of a file. */
    Runnable inForce = () -> {};

    public LogTestDirectory(Path root) {
        this.root = root;
    }

    public Path resolve(String path) {
        return path.isEmpty() ? root : root.resolve(path);
    }

    @Override
    public StoreFile open(String path) {
        openCount.incrementAndGet();
        return io(
                () ->
                        new TestFile(
                                path,
                                FileChannel.open(
                                        resolve(path),
                                        StandardOpenOption.READ,
                                        StandardOpenOption.WRITE,
                                        StandardOpenOption.CREATE)));
    }

    @Override
    public int forcesAtOnce() {
        return forcesAtOnce;
    }

    @Override
    public boolean exists(String path) {
        return Files.exists(resolve(path));
    }

    @Override
    public long length(String path) {
        return io(() -> exists(path) ? Files.size(resolve(path)) : -1L);
    }

    @Override
    public List<String> list(String path) {
        if (!Files.isDirectory(resolve(path))) {
            return List.of();
        }
        return io(
                () -> {
                    try (Stream<Path> entries = Files.list(resolve(path))) {
                        return entries.map(entry -> entry.getFileName().toString())
                                .sorted()
                                .toList();
                    }
                });
    }

    @Override
    public void createDirectories(String path) {
        io(() -> Files.createDirectories(resolve(path)));
    }

    @Override
    public void rename(String from, String to) {
        io(() -> Files.move(resolve(from), resolve(to), StandardCopyOption.ATOMIC_MOVE));
    }

    @Override
    public void delete(String path) {
        for (String name : list(path)) {
            delete(path + "/" + name);
        }
        io(() -> Files.deleteIfExists(resolve(path)));
    }

    @Override
    public void forceDirectory(String path) {
        forceCount.incrementAndGet();
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public String description() {
        return root.toString();
    }

    interface Io<T> {
        T call() throws IOException;
    }

    static <T> T io(Io<T> call) {
        try {
            return call.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class TestFile implements StoreFile {
        private final String path;
        private final FileChannel channel;

        TestFile(String path, FileChannel channel) {
            this.path = path;
            this.channel = channel;
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public long length() {
            return io(channel::size);
        }

        @Override
        public int read(ByteBuffer to, long position) {
            readCount.incrementAndGet();
            return io(
                    () -> {
                        int total = 0;
                        while (to.hasRemaining()) {
                            int count = channel.read(to, position + total);
                            if (count < 0) {
                                break;
                            }
                            total += count;
                        }
                        return total;
                    });
        }

        @Override
        public void write(ByteBuffer from, long position) {
            writeCount.incrementAndGet();
            io(
                    () -> {
                        long at = position;
                        while (from.hasRemaining()) {
                            at += channel.write(from, at);
                        }
                        return at;
                    });
        }

        @Override
        public void write(ByteBuffer[] from, long position) {
            long at = position;
            for (ByteBuffer buffer : from) {
                int length = buffer.remaining();
                write(buffer, at);
                at += length;
            }
        }

        @Override
        public void force(boolean metadata) {
            // Only counted: these tests end no process, and forcing makes them slow.
            forceCount.incrementAndGet();
            inForce.run();
        }

        @Override
        public void truncate(long length) {
            io(() -> channel.truncate(length));
        }

        @Override
        public void preallocate(long length) {
            throw new UnsupportedOperationException("logs do not preallocate");
        }

        @Override
        public @Nullable FileChannel channel() {
            return channel;
        }

        @Override
        public void close() {
            closeCount.incrementAndGet();
            io(
                    () -> {
                        channel.close();
                        return path;
                    });
        }
    }
}
