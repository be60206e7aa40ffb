package org.metaq.store.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.metaq.store.StoreException;

/**
 * Keeps a second broker off a data directory. The operating system drops the lock when the process
 * ends, however it ends, so a left-over {@code LOCK} file is no lock. Thread-safe.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final String FILE_NAME = "LOCK";

    /**
     * Directories that this JVM holds. POSIX drops all locks of a process on a file when it closes
     * any descriptor of it, so a second broker in the same JVM must be turned away before it opens
     * the file.
     */
    private static final Map<Path, String> HELD = new ConcurrentHashMap<>();

    private final Path root;
    private final FileChannel channel;

    private DirectoryLock(Path root, FileChannel channel) {
        this.root = root;
        this.channel = channel;
    }

    static DirectoryLock take(Path root) {
        String holder = thisProcess();
        String other = HELD.putIfAbsent(root, holder);
        if (other != null) {
            throw locked(root, other + " (this process)");
        }
        DirectoryLock taken = null;
        try {
            taken = lockFile(root, holder);
            return taken;
        } finally {
            if (taken == null) {
                HELD.remove(root);
            }
        }
    }

    private static DirectoryLock lockFile(Path root, String holder) {
        Path file = root.resolve(FILE_NAME);
        try {
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            try {
                FileLock lock = channel.tryLock();
                if (lock == null) {
                    throw locked(root, Files.readString(file).strip());
                }
                channel.truncate(0);
                channel.write(ByteBuffer.wrap((holder + "\n").getBytes(StandardCharsets.UTF_8)), 0);
                return new DirectoryLock(root, channel);
            } catch (IOException | StoreException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw DiskDirectory.failure("lock", file, root, e);
        }
    }

    private static StoreException locked(Path root, String holder) {
        return new StoreException(
                StoreException.Kind.LOCKED,
                "the data directory "
                        + root
                        + " is in use by "
                        + (holder.isEmpty() ? "a process that is just starting" : holder)
                        + "; stop that broker or use another directory");
    }

    private static String thisProcess() {
        ProcessHandle process = ProcessHandle.current();
        return "process "
                + process.pid()
                + process.info().startInstant().map(at -> ", started " + at).orElse("");
    }

    /** Lets others have the directory. */
    @Override
    public void close() {
        try {
            // Closing the channel drops the lock. The file stays: deleting it would let two others
            // lock two different files of the same name.
            channel.close();
        } catch (IOException e) {
            throw DiskDirectory.failure("unlock", root.resolve(FILE_NAME), root, e);
        } finally {
            HELD.remove(root);
        }
    }
}
