package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.common.Invariants;
import org.metaq.store.StoreException;
import org.metaq.store.io.FileLength;
import org.metaq.store.io.StoreDirectory;

/**
 * The log of one partition in files: segments in MetaQ's message format with MetaQ's byte offsets,
 * and next to each its index ({@link IndexFormat}).
 *
 * <pre>
 * &lt;path&gt;/00000000000000000000.meta    messages, one after the other
 * &lt;path&gt;/00000000000000000000.index   an entry for each of them
 * &lt;path&gt;/00000000000000002040.meta    the name is the offset of its first byte
 * </pre>
 *
 * <p>The writer thread appends and publishes; any thread reads what is published. Nothing is forced
 * but by {@link LogCut#force}: after a crash the files are cut to the lengths of a cut and what
 * followed is appended again. Whatever the writer has not published is in no cut.
 *
 * <p>Threads: {@code view}, {@code tail} and {@code scan} are written by the writer and read by
 * all. An entry is put into the tail, and the tail into its field, before the view that publishes
 * the entry; who reads the view first and the tail then finds the entry there, or a later tail.
 */
public final class PartitionLog implements MessageLog {
    private final LogContext context;
    private final String path;
    private final BufferedWriter data;

    // Writer only; the array is copied when a segment is added, as views hold it.
    private Segment[] segments;
    private @Nullable Segment active;
    private long nextSequence;
    private long nextOffset;
    private long releasedSequence;
    private boolean holdsPages;
    private boolean isClosed;
    // Segments made so far; a cut tells the thread that forces it how many the directory must hold.
    private int segmentsMade;
    private volatile int segmentsMadeForced;

    private volatile LogView view;
    private volatile @Nullable IndexPage tail;
    private volatile @Nullable IndexPage scan;

    private PartitionLog(LogContext context, String path, LogView view) {
        this.context = context;
        this.path = path;
        this.data = new BufferedWriter(context.buffers());
        this.view = view;
        this.segments = view.segments();
        this.nextSequence = view.endSequence();
        this.nextOffset = view.endOffset();
        if (segments.length > 0) {
            Segment last = segments[segments.length - 1];
            if (nextOffset - last.startOffset() < context.options().segmentLengthMaxBytes()) {
                continueIn(last);
            }
        }
    }

    /**
     * Opens the log in a directory whose files were cut to a checkpoint, or an empty one if there
     * is no such directory. Reads names, lengths and an index header, but no message.
     *
     * @param path of the log's directory, below the store's
     * @throws StoreException CORRUPT if a file is missing, short or does not continue the one
     *     before
     */
    public static PartitionLog open(LogContext context, String path) {
        StoreDirectory directory = context.directory();
        List<FileLength> files = new ArrayList<>();
        for (String name : directory.list(path)) {
            if (!SegmentArchive.isArchive(name)) {
                String file = path + "/" + name;
                files.add(new FileLength(file, directory.length(file)));
            }
        }
        return open(context, path, files);
    }

    /**
     * The same with files that the caller has looked at.
     *
     * @param files all of the log with their lengths, sorted by path; no archives
     */
    public static PartitionLog open(LogContext context, String path, List<FileLength> files) {
        return new PartitionLog(context, path, new SegmentChain(context, path).load(files));
    }

    /** Directory of the log, below the store's. */
    public String path() {
        return path;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if it is not exactly one message, or priority (0..9) or
     *     flags (0..255) are out of range; nothing was appended
     * @throws StoreException if the disk fails; the log must not be used any more
     */
    @Override
    public long append(
            ByteBuffer message, long timestampMs, long expirationMs, int priority, int flags) {
        IndexFormat.requireValid(message, priority, flags);
        Segment segment = begin(message.remaining(), timestampMs, expirationMs, priority, flags);
        data.write(message.duplicate());
        return end(segment, message.remaining());
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if it is not a header, or priority (0..9) or flags (0..255)
     *     are out of range; nothing was appended
     * @throws StoreException if the disk fails, or the pieces cannot be read; the log must not be
     *     used any more
     */
    @Override
    public long append(
            ByteBuffer header,
            BodyPieces body,
            long timestampMs,
            long expirationMs,
            int priority,
            int flags) {
        IndexFormat.requireValid(priority, flags);
        int length = IndexFormat.messageLength(header);
        Segment segment = begin(length, timestampMs, expirationMs, priority, flags);
        data.write(header.duplicate());
        long[] missing = {length - header.remaining()};
        body.forEach(
                piece -> {
                    missing[0] -= piece.remaining();
                    data.write(piece.duplicate());
                });
        Invariants.check(missing[0] == 0, "the pieces must be the body", path, missing[0]);
        return end(segment, length);
    }

    private Segment begin(
            int length, long timestampMs, long expirationMs, int priority, int flags) {
        Invariants.check(!isClosed, "a closed log must not be appended to", path);
        Segment segment = active;
        if (segment == null) {
            segment = startSegment();
        }
        tailForNext(segment).add(nextOffset, length, timestampMs, expirationMs, priority, flags);
        return segment;
    }

    private long end(Segment segment, int length) {
        nextOffset += length;
        long sequence = nextSequence++;
        if (nextOffset - segment.startOffset() >= context.options().segmentLengthMaxBytes()) {
            data.flush();
            writeEntries(segment);
            active = null;
        }
        return sequence;
    }

    @Override
    public void publish() {
        if (nextSequence == view.endSequence()) {
            return;
        }
        Segment segment = active;
        if (segment != null) {
            data.flush();
            writeEntries(segment);
        }
        view = new LogView(segments, nextSequence, nextOffset);
        context.pages().trim();
    }

    @Override
    public long startSequence() {
        return view.startSequence();
    }

    /** {@inheritDoc} Writer thread; others see {@link #publishedEndSequence}. */
    @Override
    public long endSequence() {
        return nextSequence;
    }

    @Override
    public long startOffset() {
        return view.startOffset();
    }

    /** {@inheritDoc} Writer thread; others see {@link #publishedEndOffset}. */
    @Override
    public long endOffset() {
        return nextOffset;
    }

    @Override
    public long publishedEndSequence() {
        return view.endSequence();
    }

    /** Byte offset after the last published message. Any thread. */
    public long publishedEndOffset() {
        return view.endOffset();
    }

    /** {@inheritDoc} In order of sequence most calls touch no file. */
    @Override
    public MessageMeta meta(long sequence) {
        LogView now = view;
        now.requirePublished(path, sequence);
        MessageMeta cached = cachedEntry(sequence);
        return cached != null ? cached : readPage(now, sequence).entry(sequence);
    }

    @Override
    public long endOfAlike(long first, long end) {
        LogView now = view;
        now.requirePublished(path, first);
        long last = Math.min(end, now.endSequence());
        IndexPage page = cachedPage(first);
        return (page != null ? page : readPage(now, first)).endOfAlike(first, last);
    }

    /** Reads the page of a published sequence and keeps it. */
    private IndexPage readPage(LogView now, long sequence) {
        int i = now.segmentOfSequence(sequence);
        Segment segment = now.segments()[i];
        long aligned = (sequence - segment.firstSequence()) / IndexPage.ENTRY_COUNT_MAX;
        long first = segment.firstSequence() + aligned * IndexPage.ENTRY_COUNT_MAX;
        long count = Math.min(IndexPage.ENTRY_COUNT_MAX, now.segmentEndSequence(i) - first);
        IndexPage page = segment.readPage(first, (int) count, now.segmentEndOffset(i));
        scan = page;
        countPages();
        return page;
    }

    @Override
    public MessageBytes bytes(long sequence) {
        return bytes(sequence, sequence);
    }

    @Override
    public MessageBytes bytes(long firstSequence, long lastSequence) {
        if (lastSequence < firstSequence) {
            throw new IllegalArgumentException(
                    "not a range of sequences: " + firstSequence + ".." + lastSequence);
        }
        LogView now = view;
        now.requirePublished(path, firstSequence);
        now.requirePublished(path, lastSequence);
        int i = now.segmentOfSequence(firstSequence);
        MessageMeta first = entry(now, i, firstSequence);
        MessageMeta last = first;
        if (lastSequence > firstSequence) {
            long inSegment = Math.min(lastSequence, now.segmentEndSequence(i) - 1);
            last = entry(now, i, inSegment);
            while (last.offset() + last.length() - first.offset() > Integer.MAX_VALUE) {
                // More than a buffer can take; halving ends at the first message at the latest.
                inSegment = firstSequence + (inSegment - firstSequence) / 2;
                last = entry(now, i, inSegment);
            }
        }
        int length = (int) (last.offset() + last.length() - first.offset());
        return now.segments()[i].bytes(first.offset(), length);
    }

    /**
     * Raw bytes from a byte offset on, as MetaQ's {@code get} hands them out: not past the end of
     * the segment nor past what is published, and with no regard to where messages start. Any
     * thread.
     *
     * @param offset &gt;= {@link #startOffset}
     * @param lengthMaxBytes &gt;= 1
     * @return null if nothing is published at the offset yet
     * @throws IllegalArgumentException if the offset is below the start
     */
    public @Nullable MessageBytes read(long offset, int lengthMaxBytes) {
        LogView now = view;
        if (offset < now.startOffset() || lengthMaxBytes < 1) {
            throw new IllegalArgumentException(
                    "cannot read %d bytes at %d of %s, which starts at %d"
                            .formatted(lengthMaxBytes, offset, path, now.startOffset()));
        }
        if (offset >= now.endOffset()) {
            return null;
        }
        int i = now.segmentOfOffset(offset);
        int length = (int) Math.min(lengthMaxBytes, now.segmentEndOffset(i) - offset);
        return now.segments()[i].bytes(offset, length);
    }

    /**
     * Length of the message that begins exactly at a byte offset, header included; -1 if none does
     * or it is not published. Any thread.
     */
    public int messageLengthAt(long offset) {
        LogView now = view;
        if (offset < now.startOffset() || offset >= now.endOffset()) {
            return -1;
        }
        int i = now.segmentOfOffset(offset);
        long low = now.segments()[i].firstSequence();
        long high = now.segmentEndSequence(i);
        while (low < high) {
            long middle = low + (high - low) / 2;
            MessageMeta meta = entry(now, i, middle);
            if (meta.offset() == offset) {
                return meta.length();
            } else if (meta.offset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1;
    }

    /**
     * Start of the segment that holds a byte offset, as MetaQ's {@code offset} answers: the log's
     * start for one below it, the published end for one at or after it. Any thread.
     */
    public long segmentStartOf(long offset) {
        LogView now = view;
        if (offset < now.startOffset()) {
            return now.startOffset();
        }
        if (offset >= now.endOffset()) {
            return now.endOffset();
        }
        return now.segments()[now.segmentOfOffset(offset)].startOffset();
    }

    /**
     * Byte offset of the first published message that was appended at a time or later; the
     * published end if there is none. Times of messages do not fall. Any thread.
     *
     * @param timestampMs ms since 1970
     */
    public long offsetOfTime(long timestampMs) {
        LogView now = view;
        long low = now.startSequence();
        long high = now.endSequence();
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (entry(now, now.segmentOfSequence(middle), middle).timestampMs() < timestampMs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == now.endSequence()
                ? now.endOffset()
                : entry(now, now.segmentOfSequence(low), low).offset();
    }

    /**
     * {@inheritDoc} Here it is only remembered: a partition log keeps its segments, which classic
     * consumers read by offset, until {@link #trim}.
     */
    @Override
    public void releaseBelow(long sequence) {
        releasedSequence = Math.max(releasedSequence, sequence);
    }

    /** What {@link #releaseBelow} was last told; 0 at first. Writer thread. */
    public long releasedSequence() {
        return releasedSequence;
    }

    /**
     * Segments that {@link #trim} could drop, oldest first: all that are published but the last,
     * which stays whether full or not, so that a restart finds where the log goes on. Any thread.
     */
    public List<ClosedSegment> closedSegments() {
        LogView now = view;
        List<ClosedSegment> closed = new ArrayList<>(Math.max(0, now.segments().length - 1));
        for (int i = 0; i + 1 < now.segments().length; i++) {
            Segment segment = now.segments()[i];
            closed.add(
                    new ClosedSegment(
                            segment.startOffset(),
                            now.segmentEndOffset(i),
                            segment.firstSequence(),
                            now.segmentEndSequence(i)));
        }
        return closed;
    }

    /**
     * When the last message of a segment was appended, ms since 1970. Reads one index entry. Any
     * thread.
     *
     * @throws IllegalArgumentException if the segment was dropped
     */
    public long lastTimestampMs(ClosedSegment segment) {
        LogView now = view;
        long last = segment.endSequence() - 1;
        now.requirePublished(path, last);
        return entry(now, now.segmentOfSequence(last), last).timestampMs();
    }

    /**
     * Writes a durable copy of a segment's messages beside it, over one that may be there. The copy
     * is no part of the log and is never deleted. Any one thread; takes as long as the disk needs.
     *
     * @throws StoreException if the disk fails or is full; the log is not harmed, try again
     */
    public void archive(ClosedSegment segment, SegmentArchive.Format format) {
        String start = path + "/" + Segment.name(segment.startOffset());
        SegmentArchive.write(
                context.directory(), start, segment.endOffset() - segment.startOffset(), format);
    }

    /**
     * Drops the segments that lie wholly below a sequence, but never the last published one. What
     * they held is not there from now on, except for those who hold {@link MessageBytes} of it. The
     * files are closed and left to the caller to delete. Writer thread.
     *
     * @param files gets the path of each file that belongs to the log no more
     * @return how many segments were dropped
     */
    public int trim(long sequence, Consumer<String> files) {
        LogView now = view;
        int count = 0;
        while (count + 1 < now.segments().length && now.segmentEndSequence(count) <= sequence) {
            count++;
        }
        if (count == 0) {
            return 0;
        }
        Segment[] kept = Arrays.copyOfRange(now.segments(), count, now.segments().length);
        segments = Arrays.copyOfRange(segments, count, segments.length);
        view = new LogView(kept, now.endSequence(), now.endOffset());
        for (int i = 0; i < count; i++) {
            now.segments()[i].retire();
            files.accept(now.segments()[i].data().path());
            files.accept(now.segments()[i].index().path());
        }
        return count;
    }

    /**
     * The files as they are now. Everything must be published. Writer thread; cheap: touches no
     * file.
     */
    public LogCut cut() {
        Invariants.check(
                nextSequence == view.endSequence(),
                "what was appended must be published before a cut",
                path,
                nextSequence,
                view.endSequence());
        LogView now = view;
        List<FileLength> files = new ArrayList<>(2 * now.segments().length);
        List<Segment> changed = new ArrayList<>(1);
        for (int i = 0; i < now.segments().length; i++) {
            Segment segment = now.segments()[i];
            FileLength length = segment.dataLength(now.segmentEndOffset(i));
            files.add(length);
            files.add(segment.indexLength(now.segmentEndSequence(i)));
            if (length.length() > segment.forcedLength()) {
                changed.add(segment);
            }
        }
        int made = segmentsMade;
        boolean isChanged = !changed.isEmpty() || made > segmentsMadeForced;
        return new LogCut(files, isChanged, () -> force(now, changed, made));
    }

    /** Closes its files, but not under readers; forgets what was not published. Writer thread. */
    @Override
    public void close() {
        isClosed = true;
        data.discard();
        tail = null;
        scan = null;
        context.pages().closed(this);
        for (Segment segment : segments) {
            segment.close();
        }
    }

    /** Frees the cached pages; false if some of it is not in the file yet. */
    boolean dropPages() {
        IndexPage page = tail;
        if (page != null && page.hasUnwritten()) {
            return false;
        }
        tail = null;
        scan = null;
        holdsPages = false;
        return true;
    }

    private void force(LogView cut, List<Segment> changed, int made) {
        for (Segment segment : changed) {
            segment.force();
        }
        if (made > segmentsMadeForced) {
            context.directory().forceDirectory(path);
            segmentsMadeForced = made;
        }
        // Only now: a segment whose name is not durable is not forced.
        for (int i = 0; i < cut.segments().length; i++) {
            if (changed.contains(cut.segments()[i])) {
                cut.segments()[i].forced(cut.segmentEndOffset(i) - cut.segments()[i].startOffset());
            }
        }
    }

    private Segment startSegment() {
        if (segments.length == 0) {
            context.directory().createDirectories(path);
        }
        Segment made = Segment.at(context, path, nextOffset, nextSequence);
        made.create();
        segments = Arrays.copyOf(segments, segments.length + 1);
        segments[segments.length - 1] = made;
        segmentsMade++;
        tail = null;
        continueIn(made);
        return made;
    }

    private void continueIn(Segment segment) {
        active = segment;
        data.continueAt(segment.data(), nextOffset - segment.startOffset());
    }

    private IndexPage tailForNext(Segment segment) {
        IndexPage page = tail;
        if (page == null || page.isFull()) {
            writeEntries(segment);
            page = IndexPage.tail(nextSequence);
            tail = page;
            countPages();
        }
        return page;
    }

    private void writeEntries(Segment segment) {
        IndexPage page = tail;
        if (page != null && page.hasUnwritten()) {
            long first = page.firstUnwrittenSequence();
            segment.writeEntries(first, page.takeUnwritten());
        }
    }

    private void countPages() {
        if (!holdsPages) {
            holdsPages = true;
            context.pages().taken(this);
        }
    }

    private @Nullable MessageMeta cachedEntry(long sequence) {
        IndexPage page = cachedPage(sequence);
        return page == null ? null : page.entry(sequence);
    }

    private @Nullable IndexPage cachedPage(long sequence) {
        IndexPage last = tail;
        if (last != null && last.covers(sequence)) {
            return last;
        }
        IndexPage read = scan;
        return read != null && read.covers(sequence) ? read : null;
    }

    private MessageMeta entry(LogView now, int i, long sequence) {
        MessageMeta cached = cachedEntry(sequence);
        return cached != null
                ? cached
                : now.segments()[i].readPage(sequence, 1, now.segmentEndOffset(i)).entry(sequence);
    }
}
