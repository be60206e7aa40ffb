package org.metaq.client.offset;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.metaq.client.cluster.TopicPartition;

/**
 * Keeps offsets in a local file, for groups that live on one host. The file ({@code
 * docs/formats.md}) is written whole beside the old one, forced, and renamed over it: a crash
 * leaves the old or the new. A lock keeps other processes from it.
 *
 * <p>Thread-safe: one lock, held while writing.
 */
public final class FileOffsetStorage implements OffsetStorage {
    private final Path file;
    private final FileChannel lockChannel;
    private final Properties offsets = new Properties();

    /**
     * Opens the file, or starts it with its first offsets; its directory is made if need be.
     *
     * @throws IOException if it cannot be read, or another storage has it
     */
    public FileOffsetStorage(Path file) throws IOException {
        this.file = file.toAbsolutePath();
        Files.createDirectories(directory());
        lockChannel =
                FileChannel.open(
                        sibling(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean done = false;
        try {
            lock();
            if (Files.exists(this.file)) {
                try (InputStream in = Files.newInputStream(this.file)) {
                    offsets.load(in);
                }
            }
            done = true;
        } catch (IllegalArgumentException e) {
            throw new IOException(this.file + " is no file of offsets: " + e.getMessage(), e);
        } finally {
            if (!done) {
                lockChannel.close();
            }
        }
    }

    private void lock() throws IOException {
        FileLock lock;
        try {
            lock = lockChannel.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new IOException(file + " is in use by this process", e);
        }
        if (lock == null) {
            throw new IOException(file + " is in use by another process");
        }
    }

    private Path directory() {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    private Path sibling(String suffix) {
        return directory().resolve(file.getFileName() + suffix);
    }

    private static String key(String group, TopicPartition partition) {
        return group + '/' + partition;
    }

    @Override
    public synchronized @Nullable GroupOffset load(String group, TopicPartition partition)
            throws IOException {
        String text = offsets.getProperty(key(group, partition));
        try {
            return text == null ? null : GroupOffset.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "offset of " + key(group, partition) + " in " + file + ": " + e.getMessage(),
                    e);
        }
    }

    @Override
    public synchronized void store(String group, Map<TopicPartition, GroupOffset> changed)
            throws IOException {
        changed.forEach(
                (partition, offset) ->
                        offsets.setProperty(key(group, partition), offset.toString()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        offsets.store(bytes, "offsets of groups: group/topic/brokerId-partition=messageId-offset");
        Path next = sibling(".new");
        try (FileChannel out =
                FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer content = ByteBuffer.wrap(bytes.toByteArray());
            while (content.hasRemaining()) {
                out.write(content);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel parent = FileChannel.open(directory(), StandardOpenOption.READ)) {
            parent.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        lockChannel.close();
    }
}
