package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.metaq.store.log.SpillFile;

/**
 * Spill files that small branches share: with a file for each of them, a restart would open, and a
 * replay make, as many files as there are branches. One takes what comes; when it is full, the next
 * one does. It goes with the last branch that has something in it. Confined to the writer thread.
 */
final class SharedSpills {
    /** A file of this length takes nothing more, bytes. */
    static final long LENGTH_FULL = 8 << 20;

    private final Views views;
    private final LongSupplier spillIds;
    private final Map<Long, SharedFile> byId = new LinkedHashMap<>();

    /** Takes what comes; null before the first, and after a restart. */
    private @Nullable SharedFile open;

    /** One of the files, and how many pieces in it are needed. */
    static final class SharedFile {
        private final long id;
        private final SpillFile spill;
        private int pieceCount;

        private SharedFile(long id, SpillFile spill) {
            this.id = id;
            this.spill = spill;
        }

        /** Number of the spill file. */
        long id() {
            return id;
        }

        SpillFile spill() {
            return spill;
        }

        /** How many pieces in it are needed; &gt; 0. */
        int pieceCount() {
            return pieceCount;
        }
    }

    /** What a branch has in one place: from one length of the file to another. */
    static final class Piece {
        private final SharedFile file;
        private final long from;
        private final long to;

        private Piece(SharedFile file, long from, long to) {
            this.file = file;
            this.from = from;
            this.to = to;
        }

        /** Number of the spill file. */
        long spillId() {
            return file.id;
        }

        long from() {
            return from;
        }

        long to() {
            return to;
        }

        long bytes() {
            return to - from;
        }

        /** Hands over what was added; valid during the call only. */
        void read(Consumer<ByteBuffer> consumer) {
            file.spill.forEach(from, to, consumer);
        }
    }

    /**
     * None.
     *
     * @param spillIds gives numbers of spill files, each once
     */
    SharedSpills(Views views, LongSupplier spillIds) {
        this.views = views;
        this.spillIds = spillIds;
    }

    /** Appends these bytes as one piece. */
    Piece add(ByteBuffer bytes) {
        SharedFile file = open;
        if (file == null || file.spill.length() >= LENGTH_FULL) {
            file = roll(file);
            open = file;
        }
        long from = file.spill.length();
        file.spill.append(bytes);
        file.pieceCount++;
        return new Piece(file, from, file.spill.length());
    }

    private SharedFile roll(@Nullable SharedFile full) {
        if (full != null) {
            full.spill.flush();
        }
        long id = spillIds.getAsLong();
        SharedFile next = new SharedFile(id, views.createSpill(id));
        byId.put(id, next);
        return next;
    }

    /** The branch has its outcome. */
    void drop(Piece piece) {
        SharedFile file = piece.file;
        file.pieceCount--;
        if (file.pieceCount > 0) {
            return;
        }
        if (file == open) {
            open = null;
        }
        byId.remove(file.id);
        views.deleteSpill(file.spill);
    }

    // ---- checkpoints

    /** The files; each has something that is needed. */
    Collection<SharedFile> all() {
        return byId.values();
    }

    void restore(long id, long length, int pieceCount) {
        SharedFile file = new SharedFile(id, views.openSpill(id, length));
        file.pieceCount = pieceCount;
        byId.put(id, file);
    }

    /**
     * One of the pieces of a file that was restored before.
     *
     * @throws IllegalArgumentException if there is no such file
     */
    Piece restorePiece(long id, long from, long to) {
        SharedFile file = byId.get(id);
        if (file == null) {
            throw new IllegalArgumentException("no shared spill file has the number " + id);
        }
        return new Piece(file, from, to);
    }

    void clear() {
        byId.clear();
        open = null;
    }
}
