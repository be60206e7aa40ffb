package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.metaq.store.StoreException;
import org.metaq.store.io.StoreDirectory;

/**
 * A file that is opened when it is used and closed again when many others are. Thread-safe: its
 * monitor only keeps two threads from opening it twice.
 */
final class SharedFile {
    private final StoreDirectory directory;
    private final OpenFiles openFiles;
    private final String path;
    private final AtomicReference<@Nullable OpenFile> current = new AtomicReference<>();
    // Guarded by this: so no reader opens, and thereby creates, what is being deleted.
    private boolean isRetired;

    SharedFile(StoreDirectory directory, OpenFiles openFiles, String path) {
        this.directory = directory;
        this.openFiles = openFiles;
        this.path = path;
    }

    String path() {
        return path;
    }

    /**
     * The open file; the caller lets go of it with {@link OpenFile#release}.
     *
     * @throws IllegalArgumentException if it is retired
     */
    OpenFile acquire() {
        OpenFile open = current.get();
        return open != null && open.retain() ? open : open(false);
    }

    private synchronized OpenFile open(boolean evenIfRetired) {
        OpenFile open = current.get();
        if (open != null && open.retain()) {
            return open;
        }
        if (isRetired && !evenIfRetired) {
            throw new IllegalArgumentException(path + " is not there any more");
        }
        OpenFile opened = new OpenFile(this, directory.open(path));
        current.set(opened);
        openFiles.add(opened);
        return opened;
    }

    /** It is no longer kept open. */
    void forget(OpenFile file) {
        current.compareAndSet(file, null);
    }

    /** Closes it, unless readers still hold it; it opens again on use. */
    void close() {
        OpenFile open = current.get();
        if (open != null) {
            openFiles.remove(open);
        }
    }

    /** As {@link #close}, for good: it is about to be deleted. Who holds it still reads it. */
    void retire() {
        synchronized (this) {
            isRetired = true;
        }
        close();
    }

    void write(ByteBuffer from, long position) {
        OpenFile open = acquire();
        try {
            open.file().write(from, position);
        } finally {
            open.release();
        }
    }

    /**
     * Fills the buffer from the position on.
     *
     * @throws StoreException CORRUPT if the file ends before
     */
    void readFully(ByteBuffer to, long position) {
        OpenFile open = acquire();
        try {
            readFully(open, to, position);
        } finally {
            open.release();
        }
    }

    /** The same on a file that the caller holds. */
    static void readFully(OpenFile open, ByteBuffer to, long position) {
        int wanted = to.remaining();
        int got = open.file().read(to, position);
        if (got < wanted) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    "%s must hold %d bytes at %d, but only %d are there; its length is %d"
                            .formatted(
                                    open.file().path(),
                                    wanted,
                                    position,
                                    got,
                                    open.file().length()));
        }
    }

    /**
     * Makes its content and length durable, retired or not: a checkpoint that lists it keeps it on
     * the disk.
     */
    void force() {
        OpenFile open = current.get();
        if (open == null || !open.retain()) {
            open = open(true);
        }
        try {
            open.file().force(true);
        } finally {
            open.release();
            closeIfRetired();
        }
    }

    /** A deleted file takes space for as long as it is open. */
    private void closeIfRetired() {
        boolean closes;
        synchronized (this) {
            closes = isRetired;
        }
        if (closes) {
            close();
        }
    }
}
