package org.metaq.store.checkpoint;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metaq.common.Checksums;
import org.metaq.common.Invariants;
import org.metaq.store.StoreException;
import org.metaq.store.io.FileLength;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.Position;
import org.metaq.store.journal.RestorePoint;
import org.metaq.store.log.SegmentArchive;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of a store. Each is a directory with the small state and, written last, a {@link
 * Manifest}; the newest with a manifest counts.
 *
 * <pre>
 * checkpoints/00000000000000001234/state       the entry that it holds is its name
 * checkpoints/00000000000000001234/MANIFEST    appears by a rename when all else is durable
 * topics/, spill/                              the files of the views, which manifests list
 * </pre>
 *
 * <p>Threads: {@link #load} first; then {@link #begin} and {@link #deleteWhenUnneeded} on the
 * writer thread, {@link Checkpoint#finish} on another. The monitor guards the fields and is never
 * held over a call to the disk.
 */
public final class CheckpointStore {
    /** Directory of the partition logs. */
    public static final String TOPICS_DIRECTORY = "topics";

    /** Directory of the spill files. */
    public static final String SPILL_DIRECTORY = "spill";

    /** Directory of the logs of delayed messages. */
    public static final String DELAYED_DIRECTORY = "delayed";

    static final List<String> DATA_DIRECTORIES =
            List.of(SPILL_DIRECTORY, TOPICS_DIRECTORY, DELAYED_DIRECTORY);

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointStore.class);
    private static final String DIRECTORY = "checkpoints";
    private static final String ROOT = "";
    private static final int READ_LENGTH = 1 << 20;
    private static final String STATE = "state";
    private static final String MANIFEST = "MANIFEST";
    private static final String MANIFEST_TEMPORARY = "MANIFEST.tmp";

    private final StoreDirectory directory;
    // Guarded by this.
    private @Nullable Position newest;
    private Set<String> listedPaths = Set.of();
    private Map<String, List<FileLength>> loadedFiles = new HashMap<>();
    private @Nullable StoredCheckpoint underWay;
    private final List<String> condemnedPaths = new ArrayList<>();

    /** For the checkpoints of one store; call {@link #load} first. */
    public CheckpointStore(StoreDirectory directory) {
        this.directory = directory;
    }

    /**
     * Finds the newest checkpoint and makes the views' files what they were at it: cuts those that
     * it lists, deletes all others in the views' folders, but no archives of segments, and what is
     * left of other checkpoints. Without one, deletes all else in the views' folders: replay
     * rebuilds them. Can be repeated after a crash.
     *
     * @return where replay starts
     * @throws StoreException CORRUPT if the checkpoint is damaged, or a file that it lists is
     *     missing or shorter than listed; nothing was changed
     */
    public synchronized RestorePoint load() {
        String name = newestName();
        if (name == null) {
            sweep(Set.of());
            deleteCheckpointsBut(null);
            newest = null;
            listedPaths = Set.of();
            loadedFiles = new HashMap<>();
            return RestorePoint.NEW;
        }
        String path = DIRECTORY + "/" + name;
        Manifest manifest = Manifest.decode(path + "/" + MANIFEST, read(path + "/" + MANIFEST));
        byte[] state = read(path + "/" + STATE);
        requireThat(
                state.length == manifest.stateLength()
                        && Checksums.crc32c(ByteBuffer.wrap(state)) == manifest.stateCrc(),
                path + "/" + STATE + " does not agree with length and checksum in its manifest");
        requireThat(
                name.equals(name(manifest.at())),
                path + "/" + MANIFEST + " is of another checkpoint: " + manifest.at());
        // A killed process may have renamed the manifest and never forced that; what was before is
        // deleted now.
        directory.forceDirectory(path);
        directory.forceDirectory(DIRECTORY);
        directory.forceDirectory(ROOT);
        cutFiles(manifest.files());
        Set<String> paths = paths(manifest.files());
        sweep(paths);
        deleteCheckpointsBut(name);
        newest = manifest.at();
        listedPaths = paths;
        loadedFiles = byDirectory(manifest.files());
        return new RestorePoint(
                manifest.at(), manifest.epoch(), ByteBuffer.wrap(state).asReadOnlyBuffer());
    }

    /**
     * The files of a directory as {@link #load} left them, with their lengths and sorted by path:
     * who opens them need not look again. Once for each directory, later calls give null.
     */
    public synchronized @Nullable List<FileLength> takeLoaded(String path) {
        return loadedFiles.remove(path);
    }

    /**
     * Starts a checkpoint. What is given is that of one moment; the views may go on. One at the
     * position of the newest finished one holds the same and its {@code finish} does nothing.
     *
     * @param at last position that it holds, not below that of the newest
     * @param epoch number of the epoch at that position
     * @param state the serialized state; not copied, must not change
     * @param files every file of the views with its length
     * @param forceViews makes these files durable up to their lengths, and their names in the
     *     directories that hold them; called by {@code finish}
     * @throws IllegalStateException if one is under way
     * @throws IllegalArgumentException if {@code at} goes back or a path lies outside the views'
     *     folders
     */
    public synchronized Checkpoint begin(
            Position at,
            long epoch,
            ByteBuffer state,
            List<FileLength> files,
            Runnable forceViews) {
        if (underWay != null) {
            throw new IllegalStateException("a checkpoint is under way: " + underWay.at());
        }
        Position last = newest;
        if (last != null
                && (at.compareTo(last) < 0
                        || (at.entry() == last.entry() && at.ordinal() != last.ordinal()))) {
            throw new IllegalArgumentException(
                    "checkpoint at " + at + " must be of a later entry than the one at " + last);
        }
        ByteBuffer content = state.asReadOnlyBuffer();
        Manifest manifest =
                new Manifest(at, epoch, content.remaining(), Checksums.crc32c(content), files);
        underWay = new StoredCheckpoint(manifest, content, forceViews);
        return underWay;
    }

    /**
     * Deletes a file or directory of the views, now or, if a checkpoint needs it for a restart, as
     * soon as the next one without it is durable. Nothing may be made under its path before it is
     * gone. Writer thread; its log or spill file is closed.
     */
    public void deleteWhenUnneeded(String path) {
        synchronized (this) {
            if (isNeeded(path)) {
                condemnedPaths.add(path);
                return;
            }
        }
        directory.delete(path);
    }

    private boolean isNeeded(String path) {
        StoredCheckpoint pending = underWay;
        return isListed(listedPaths, path) || (pending != null && isListed(pending.paths, path));
    }

    private static boolean isListed(Set<String> paths, String path) {
        return paths.contains(path)
                || paths.stream().anyMatch(listed -> listed.startsWith(path + "/"));
    }

    private @Nullable String newestName() {
        String found = null;
        for (String name : directory.list(DIRECTORY)) {
            if (name.matches("\\d{20}")
                    && directory.exists(DIRECTORY + "/" + name + "/" + MANIFEST)) {
                found = name;
            }
        }
        return found;
    }

    private void cutFiles(List<FileLength> files) {
        List<FileLength> longer = new ArrayList<>();
        for (FileLength file : files) {
            long length = directory.length(file.path());
            requireThat(
                    length >= file.length(),
                    "%s must have %d bytes for the newest checkpoint, but %s"
                            .formatted(
                                    file.path(),
                                    file.length(),
                                    length < 0 ? "is missing" : "has " + length));
            if (length > file.length()) {
                longer.add(file);
            }
        }
        for (FileLength file : longer) {
            try (StoreFile open = directory.open(file.path())) {
                open.truncate(file.length());
            }
        }
    }

    private void sweep(Set<String> keptFiles) {
        Set<String> keptDirectories = new HashSet<>();
        for (String path : keptFiles) {
            for (int i = path.lastIndexOf('/'); i > 0; i = path.lastIndexOf('/', i - 1)) {
                keptDirectories.add(path.substring(0, i));
            }
        }
        for (String data : DATA_DIRECTORIES) {
            sweep(data, keptFiles, keptDirectories);
        }
    }

    private void sweep(String path, Set<String> keptFiles, Set<String> keptDirectories) {
        for (String name : directory.list(path)) {
            String child = path + "/" + name;
            if (keptFiles.contains(child) || SegmentArchive.isArchive(name)) {
                continue;
            }
            if (keptDirectories.contains(child) || holdsArchive(child)) {
                sweep(child, keptFiles, keptDirectories);
            } else {
                LOG.debug("deleting {}, which the checkpoint does not list", child);
                directory.delete(child);
            }
        }
    }

    /** Such a directory stays, though what replay makes anew in it goes. */
    private boolean holdsArchive(String path) {
        return directory.list(path).stream().anyMatch(SegmentArchive::isArchive);
    }

    private void deleteCheckpointsBut(@Nullable String kept) {
        for (String name : directory.list(DIRECTORY)) {
            if (!name.equals(kept)) {
                directory.delete(DIRECTORY + "/" + name);
            }
        }
    }

    private byte[] read(String path) {
        long length = directory.length(path);
        requireThat(length >= 0, path + " is missing");
        requireThat(length <= Integer.MAX_VALUE - 8, path + " is too long: " + length + " bytes");
        ByteBuffer bytes = ByteBuffer.allocate((int) length);
        try (StoreFile file = directory.open(path)) {
            // in pieces, since the JDK copies each over a direct buffer of its length
            int count;
            do {
                int position = bytes.position();
                bytes.limit(Math.min(bytes.capacity(), position + READ_LENGTH));
                count = file.read(bytes, position);
                bytes.limit(bytes.capacity());
            } while (count > 0);
        }
        requireThat(!bytes.hasRemaining(), path + " got shorter while it was read");
        return bytes.array();
    }

    private void write(String path, ByteBuffer content) {
        try (StoreFile file = directory.open(path)) {
            file.write(content, 0);
            file.force(true);
        }
    }

    private static void requireThat(boolean holds, String otherwise) {
        if (!holds) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    otherwise + "; restore the data directory from a copy");
        }
    }

    private static Set<String> paths(List<FileLength> files) {
        Set<String> paths = new HashSet<>();
        for (FileLength file : files) {
            paths.add(file.path());
        }
        return paths;
    }

    private static Map<String, List<FileLength>> byDirectory(List<FileLength> files) {
        Map<String, List<FileLength>> byDirectory = new HashMap<>();
        for (FileLength file : files) {
            String directory = file.path().substring(0, file.path().lastIndexOf('/'));
            byDirectory.computeIfAbsent(directory, d -> new ArrayList<>(2)).add(file);
        }
        return byDirectory;
    }

    private static String name(Position at) {
        return "%020d".formatted(at.entry());
    }

    /**
     * Writes the checkpoint. The order is what makes a crash at any point leave a valid one: the
     * views, the state and their names are durable before the name MANIFEST appears, and it is
     * durable before an older checkpoint goes.
     */
    private void writeDurably(StoredCheckpoint checkpoint) {
        checkpoint.forceViews.run();
        for (String data : DATA_DIRECTORIES) {
            if (directory.exists(data)) {
                directory.forceDirectory(data);
            }
        }
        String path = DIRECTORY + "/" + name(checkpoint.at());
        if (directory.exists(path + "/" + MANIFEST)) {
            // Left by one that failed at its very end: it must not count while it is taken apart.
            directory.delete(path + "/" + MANIFEST);
            directory.forceDirectory(path);
        }
        directory.delete(path);
        directory.createDirectories(path);
        write(path + "/" + STATE, checkpoint.state.duplicate());
        write(path + "/" + MANIFEST_TEMPORARY, checkpoint.manifest.encode());
        directory.forceDirectory(path);
        directory.forceDirectory(DIRECTORY);
        directory.forceDirectory(ROOT);
        directory.rename(path + "/" + MANIFEST_TEMPORARY, path + "/" + MANIFEST);
        directory.forceDirectory(path);
    }

    private synchronized boolean isNewest(StoredCheckpoint checkpoint) {
        Invariants.check(underWay == checkpoint, "a checkpoint is finished once", checkpoint.at());
        return checkpoint.at().equals(newest);
    }

    private synchronized void failed(StoredCheckpoint checkpoint) {
        // It is not known whether its manifest is durable: keep what either of the two lists.
        Set<String> both = new HashSet<>(listedPaths);
        both.addAll(checkpoint.paths);
        listedPaths = both;
        underWay = null;
    }

    private synchronized List<String> finished(StoredCheckpoint checkpoint) {
        underWay = null;
        newest = checkpoint.at();
        listedPaths = checkpoint.paths;
        List<String> unneeded = new ArrayList<>(condemnedPaths);
        unneeded.removeIf(this::isNeeded);
        condemnedPaths.removeAll(unneeded);
        return unneeded;
    }

    private synchronized void skipped() {
        underWay = null;
    }

    /** One checkpoint; {@code finish} runs on one thread, once. */
    private final class StoredCheckpoint implements Checkpoint {
        private final Manifest manifest;
        private final ByteBuffer state;
        private final Runnable forceViews;
        private final Set<String> paths;

        StoredCheckpoint(Manifest manifest, ByteBuffer state, Runnable forceViews) {
            this.manifest = manifest;
            this.state = state;
            this.forceViews = forceViews;
            this.paths = paths(manifest.files());
        }

        @Override
        public Position at() {
            return manifest.at();
        }

        @Override
        public void finish() {
            if (isNewest(this)) {
                skipped();
                return;
            }
            boolean isDurable = false;
            try {
                writeDurably(this);
                isDurable = true;
            } finally {
                if (!isDurable) {
                    failed(this);
                }
            }
            List<String> unneeded = finished(this);
            deleteCheckpointsBut(name(at()));
            for (String path : unneeded) {
                directory.delete(path);
            }
        }
    }
}
