package org.metaq.store.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metaq.store.StoreException;

/**
 * A directory of the real disk. Thread-safe.
 *
 * <p>Files are {@link FileChannel}s, which an interrupt of a thread inside a call closes for all.
 * The broker interrupts no thread; should one be interrupted all the same, the file opens its
 * channel again and the call goes on, with the thread's interrupt flag kept. Only a transfer that
 * uses {@link StoreFile#channel()} directly then fails.
 */
public final class DiskDirectory implements StoreDirectory {
    private static final long USABLE_BYTES_FULL = 64 * 1024;

    private static final int LINKED_NAMES_MAX = 1000;

    private static final int FORCES_AT_ONCE = 32;

    private final Path root;
    // Where directories of createDirectoryAt lie; free space is looked at there, too.
    private final Set<Path> places = ConcurrentHashMap.newKeySet();

    private DiskDirectory(Path root) {
        this.root = root;
    }

    /**
     * Opens a directory; creates it and its parents if they are not there.
     *
     * @throws StoreException if it cannot be created or is not a directory
     */
    public static DiskDirectory open(Path root) {
        try {
            Files.createDirectories(root);
            return new DiskDirectory(root.toRealPath());
        } catch (IOException e) {
            throw failure("create the data directory", root, root, e);
        }
    }

    /**
     * Takes the directory for this process: nobody else gets it before the lock is closed or the
     * process ends. The file {@code LOCK} tells who holds it.
     *
     * @throws StoreException with kind LOCKED, naming the directory and the process that holds it
     */
    public DirectoryLock lock() {
        return DirectoryLock.take(root);
    }

    @Override
    public StoreFile open(String path) {
        return DiskFile.open(root, resolve(path), path);
    }

    @Override
    public boolean exists(String path) {
        return Files.exists(resolve(path));
    }

    @Override
    public long length(String path) {
        Path file = resolve(path);
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return -1;
        } catch (IOException e) {
            throw failure("ask for the length of", file, root, e);
        }
    }

    @Override
    public List<String> list(String path) {
        Path directory = resolve(path);
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                names.add(String.valueOf(entry.getFileName()));
            }
            notePlace(directory);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException | DirectoryIteratorException e) {
            throw failure("list", directory, root, e);
        }
        Collections.sort(names);
        return List.copyOf(names);
    }

    @Override
    public void createDirectories(String path) {
        Path directory = resolve(path);
        if (Files.isDirectory(directory)) {
            // Also one that lies elsewhere, which the call below would not accept.
            return;
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw failure("create directory", directory, root, e);
        }
    }

    /**
     * {@inheritDoc} Here it is a symbolic link to a new directory of the same name in that place,
     * or, if that name is taken there, of the name with {@code .2}, {@code .3} ... behind it: so it
     * is nobody else's.
     *
     * @throws StoreException IO if the place cannot be written, or the link is there and leads
     *     nowhere
     */
    @Override
    public void createDirectoryAt(String path, String place) {
        Path link = resolve(path);
        try {
            if (Files.isDirectory(link)) {
                notePlace(link);
                return;
            }
            if (Files.isSymbolicLink(link)) {
                throw new StoreException(
                        StoreException.Kind.IO,
                        "%s leads to %s, which is not there; mount that disk, or restore it"
                                .formatted(link, Files.readSymbolicLink(link)));
            }
            Path target = createNewIn(Path.of(place).toAbsolutePath(), link);
            Files.createDirectories(parent(link));
            Files.createSymbolicLink(link, target);
            places.add(parent(target));
        } catch (IOException | InvalidPathException e) {
            throw failure("create, with its files in " + place + ",", link, root, e);
        }
        for (Path up = parent(link); up.startsWith(root); up = parent(up)) {
            force(up);
        }
    }

    /** Every directory is listed or placed before it is used, so all their disks become known. */
    private void notePlace(Path directory) throws IOException {
        if (Files.isSymbolicLink(directory)) {
            places.add(parent(directory.toRealPath()));
        }
    }

    /** Real path of a directory, wherever it lies; empty if it is not there. */
    public String whereIs(String path) {
        Path directory = resolve(path);
        try {
            return Files.isDirectory(directory) ? directory.toRealPath().toString() : "";
        } catch (IOException e) {
            throw failure("find", directory, root, e);
        }
    }

    /** A directory that was not there before; its name is durable. */
    private Path createNewIn(Path place, Path link) throws IOException {
        Files.createDirectories(place);
        Path real = place.toRealPath();
        for (int i = 1; i <= LINKED_NAMES_MAX; i++) {
            Path target = real.resolve(link.getFileName() + (i == 1 ? "" : "." + i));
            if (createIfNew(target)) {
                force(real);
                return target;
            }
        }
        throw new IOException(LINKED_NAMES_MAX + " directories of this name are there already");
    }

    private static boolean createIfNew(Path target) throws IOException {
        try {
            Files.createDirectory(target);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent(), "a path below a root has a parent");
    }

    @Override
    public void rename(String from, String to) {
        Path source = resolve(from);
        try {
            Files.move(source, resolve(to), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failure("rename (to " + to + ")", source, root, e);
        }
    }

    @Override
    public void delete(String path) {
        Path target = resolve(path);
        try {
            if (Files.isSymbolicLink(target) && Files.isDirectory(target)) {
                // Else what a power failure brings back there would be found by nobody.
                for (String name : list(path)) {
                    delete(path + "/" + name);
                }
            } else if (Files.isDirectory(target)) {
                Files.walkFileTree(target, new DeletingVisitor());
            } else {
                Files.deleteIfExists(target);
            }
        } catch (IOException e) {
            throw failure("delete", target, root, e);
        }
    }

    @Override
    public void forceDirectory(String path) {
        force(resolve(path));
    }

    private void force(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw failure("force directory", directory, root, e);
        }
    }

    @Override
    public int forcesAtOnce() {
        return FORCES_AT_ONCE;
    }

    @Override
    public long usableBytes() {
        long least = usableBytes(root);
        for (Path place : places) {
            least = Math.min(least, usableBytes(place));
        }
        return least;
    }

    private long usableBytes(Path place) {
        try {
            return Files.getFileStore(place).getUsableSpace();
        } catch (IOException e) {
            throw failure("ask for the free space of", place, root, e);
        }
    }

    @Override
    public String description() {
        return root.toString();
    }

    private Path resolve(String path) {
        Path resolved = root.resolve(path).normalize();
        if (path.startsWith("/") || !resolved.startsWith(root)) {
            throw new IllegalArgumentException("not a path below the directory: '" + path + "'");
        }
        return resolved;
    }

    /** What the operating system said, as the store's exception with advice. */
    static StoreException failure(String what, Path file, Path root, Exception cause) {
        boolean isFull = saysFull(cause.getMessage()) || isFull(root);
        String text = "cannot " + what + " " + file + ": " + describe(cause);
        return isFull
                ? new StoreException(
                        StoreException.Kind.DISK_FULL,
                        text + "; free space on the disk, then start the broker again",
                        cause)
                : new StoreException(
                        StoreException.Kind.IO,
                        text + "; check the disk and the permissions of the data directory",
                        cause);
    }

    private static String describe(Exception cause) {
        return cause.getClass().getSimpleName() + " " + cause.getMessage();
    }

    /** The JDK has no exception of its own for it, only the operating system's text. */
    static boolean saysFull(@Nullable String message) {
        if (message == null) {
            return false;
        }
        String text = message.toLowerCase(Locale.ROOT);
        return text.contains("no space left")
                || text.contains("quota exceeded")
                || text.contains("not enough space");
    }

    private static boolean isFull(Path root) {
        try {
            return Files.getFileStore(root).getUsableSpace() < USABLE_BYTES_FULL;
        } catch (IOException e) {
            // The disk does not answer at all: the first failure tells more than this one.
            return false;
        }
    }

    private static final class DeletingVisitor extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failed)
                throws IOException {
            if (failed != null) {
                throw failed;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
