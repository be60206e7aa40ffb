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

    SharedFile(StoreDirectory directory, OpenFiles openFiles, String path) {
        this.directory = directory;
        this.openFiles = openFiles;
        this.path = path;
    }

    String path() {
        return path;
    }

    /** The open file; the caller lets go of it with {@link OpenFile#release}. */
    OpenFile acquire() {
        OpenFile open = current.get();
        return open != null && open.retain() ? open : open();
    }

    private synchronized OpenFile open() {
        OpenFile open = current.get();
        if (open != null && open.retain()) {
            return open;
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

    /** Makes its content and length durable. */
    void force() {
        OpenFile open = acquire();
        try {
            open.file().force(true);
        } finally {
            open.release();
        }
    }
}
