package org.metaq.store.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.metaq.store.StoreException;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the journal: {@code journal/<first entry, 20 digits>.journal}, and {@code
 * journal/<number, 20 digits>.spare} that wait to become one. Confined to the writer thread.
 *
 * <p>A file gets its segment name only when its blocks and its header are durable, and only when
 * all entries before its first are. So a segment that is there proves everything before it.
 */
final class Segments implements AutoCloseable {
    static final String DIRECTORY = "journal";

    private static final Logger LOG = LoggerFactory.getLogger(Segments.class);
    private static final Pattern SEGMENT = Pattern.compile("\\d{20}\\.journal");
    private static final Pattern SPARE = Pattern.compile("\\d{20}\\.spare");
    private static final int NUMBER_LENGTH = 20;

    /** Bytes of a spare that are made ready at once: what a turn of the duty cycle may cost. */
    private static final long PREPARE_LENGTH = 1024 * 1024;

    /** Bytes written between two pieces under load; the spare is ready when half is written. */
    private static final long PREPARE_DISTANCE = PREPARE_LENGTH / 2;

    /**
     * One file of the journal.
     *
     * @param firstEntry entry of its first batch
     * @param length of the file, bytes
     */
    record Segment(long firstEntry, long length) {
        String path() {
            return String.format("%s/%020d.journal", DIRECTORY, firstEntry);
        }
    }

    private final StoreDirectory directory;
    private final JournalOptions options;
    private final List<Segment> segments = new ArrayList<>();
    private final Deque<String> spares = new ArrayDeque<>();
    private long nextSpareNumber = 1;
    private @Nullable StoreFile growing;
    private boolean isSpareRefused;
    private long writtenSincePrepared;

    private Segments(StoreDirectory directory, JournalOptions options) {
        this.directory = directory;
        this.options = options;
    }

    /** Finds what is there; creates the directory if it is not. */
    static Segments load(StoreDirectory directory, JournalOptions options) {
        directory.createDirectories(DIRECTORY);
        // Also what a killed process created or renamed and never forced: it is built upon now.
        directory.forceDirectory("");
        directory.forceDirectory(DIRECTORY);
        Segments found = new Segments(directory, options);
        for (String name : directory.list(DIRECTORY)) {
            String path = DIRECTORY + "/" + name;
            if (SEGMENT.matcher(name).matches()) {
                found.segments.add(new Segment(number(name), found.lengthOf(path)));
            } else if (SPARE.matcher(name).matches()) {
                found.nextSpareNumber = Math.max(found.nextSpareNumber, number(name) + 1);
                found.addSpare(path);
            } else {
                LOG.warn(
                        "{}: {} is no file of the journal, left alone",
                        directory.description(),
                        path);
            }
        }
        return found;
    }

    private static long number(String name) {
        try {
            return Long.parseLong(name.substring(0, NUMBER_LENGTH));
        } catch (NumberFormatException e) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    DIRECTORY + "/" + name + ": no such number is ever given",
                    e);
        }
    }

    private long lengthOf(String path) {
        try (StoreFile file = directory.open(path)) {
            return file.length();
        }
    }

    /** A crash while a spare was made ready leaves a shorter one; it is finished when needed. */
    private void addSpare(String path) {
        long length = lengthOf(path);
        if (length == options.segmentLengthBytes() && spares.size() < options.spareSegments()) {
            spares.add(path);
        } else if (length < options.segmentLengthBytes() && growing == null) {
            growing = directory.open(path);
        } else {
            directory.delete(path);
        }
    }

    /** The segments, in order. */
    List<Segment> inOrder() {
        return List.copyOf(segments);
    }

    StoreFile open(Segment segment) {
        return directory.open(segment.path());
    }

    /** Where the files are, for messages. */
    String describe(Segment segment) {
        return directory.description() + ": " + segment.path();
    }

    String description() {
        return directory.description() + ": " + DIRECTORY;
    }

    /** Length of the segment for a batch: a batch never spans two. */
    long lengthFor(long paddedBatchLength) {
        return Math.max(options.segmentLengthBytes(), SegmentHeader.LENGTH + paddedBatchLength);
    }

    /**
     * Makes the next segment, durably. All entries before must be durable; one that is there with
     * the same first entry must be empty and closed, and is replaced.
     */
    Segment roll(long firstEntry, long previousEpoch, long length) {
        String path = takeSpare(length);
        try (StoreFile file = directory.open(path)) {
            file.write(new SegmentHeader(firstEntry, previousEpoch).encode(), 0);
            file.force(false);
        }
        Segment segment = new Segment(firstEntry, length);
        directory.rename(path, segment.path());
        directory.forceDirectory(DIRECTORY);
        segments.removeIf(other -> other.firstEntry() == firstEntry);
        segments.add(segment);
        return segment;
    }

    private String takeSpare(long length) {
        if (length == options.segmentLengthBytes()) {
            String ready = spares.poll();
            if (ready != null) {
                return ready;
            }
            StoreFile half = growing;
            if (half != null) {
                half.preallocate(length);
                half.close();
                growing = null;
                return half.path();
            }
        }
        try (StoreFile file = directory.open(newSparePath())) {
            file.preallocate(length);
            return file.path();
        }
    }

    private String newSparePath() {
        return String.format("%s/%020d.spare", DIRECTORY, nextSpareNumber++);
    }

    /** Bytes were written to the last segment. */
    void written(long length) {
        writtenSincePrepared += length;
    }

    /**
     * Does a piece of the work that makes a spare ready, if there is none.
     *
     * @param isIdle whether nobody waits meanwhile; if not, pieces keep their distance
     * @return whether there was something to do
     */
    boolean prepareSpare(boolean isIdle) {
        if (!spares.isEmpty() || isSpareRefused) {
            return false;
        }
        if (!isIdle && writtenSincePrepared < PREPARE_DISTANCE) {
            return false;
        }
        writtenSincePrepared = 0;
        StoreFile file = growing;
        try {
            if (file == null) {
                file = directory.open(newSparePath());
                growing = file;
            }
            long target = Math.min(file.length() + PREPARE_LENGTH, options.segmentLengthBytes());
            file.preallocate(target);
            if (target == options.segmentLengthBytes()) {
                file.close();
                growing = null;
                spares.add(file.path());
            }
            return true;
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.DISK_FULL) {
                throw e;
            }
            // Nothing is lost yet: the segment in use has its blocks. Only a roll must fail.
            isSpareRefused = true;
            LOG.warn("no space for the journal's next segment, which will be needed soon", e);
            return false;
        }
    }

    /** Recycles or deletes the segments that hold nothing behind {@code entry}, but the last. */
    void trim(long entry) {
        boolean isChanged = false;
        while (segments.size() > 1 && segments.get(1).firstEntry() <= entry + 1) {
            Segment segment = segments.remove(0);
            if (segment.length() == options.segmentLengthBytes()
                    && spares.size() < options.spareSegments()) {
                String path = newSparePath();
                directory.rename(segment.path(), path);
                spares.add(path);
            } else {
                directory.delete(segment.path());
            }
            isChanged = true;
        }
        if (isChanged) {
            directory.forceDirectory(DIRECTORY);
            isSpareRefused = false;
        }
    }

    /** Deletes the last segment, of which nothing counts. */
    void dropLast() {
        Segment last = segments.remove(segments.size() - 1);
        directory.delete(last.path());
        directory.forceDirectory(DIRECTORY);
    }

    @Override
    public void close() {
        StoreFile file = growing;
        growing = null;
        if (file != null) {
            file.close();
        }
    }
}
