package org.metaq.store.journal;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.common.Invariants;
import org.metaq.store.StoreException;
import org.metaq.store.StoreException.Kind;
import org.metaq.store.io.StoreFile;
import org.metaq.store.journal.SegmentReader.Finding;
import org.metaq.store.journal.SegmentReader.Leftovers;
import org.metaq.store.journal.SegmentReader.Proof;
import org.metaq.store.journal.Segments.Segment;

/**
 * Restart: replays the journal behind the restore point and finds its end. Confined to the writer
 * thread.
 *
 * <p>At each place where a batch should be, this table says what to do ("proof": a header further
 * on, of this epoch or a later one, that was written when the missing entry was durable):
 *
 * <pre>
 *  found        next segment  proof  action
 *  VALID        any           any    REPLAY
 *  other        EXPECTED      any    CONTINUE   the segment was full
 *  other        ELSEWHERE     any    REFUSE     a segment is made when all before it is durable
 *  other        NONE          yes    REFUSE     durable entries are damaged
 *  other        NONE          no     END        never durable: a torn tail, or nothing at all
 * </pre>
 *
 * <p>Why nothing of a torn tail comes back later: the new epoch is higher than that of every header
 * that can be seen behind the end, and the first batch behind the end has it. So whatever of the
 * old tail survives behind new batches has an epoch lower than the batch before it.
 */
final class JournalRecovery {
    /** What segment follows the one that is read. */
    enum Next {
        /** It is the last. */
        NONE,
        /** One that starts with the expected entry. */
        EXPECTED,
        /** One that starts with another entry. */
        ELSEWHERE
    }

    /** What to do. */
    enum Action {
        /** Apply the batch and go on behind it. */
        REPLAY,
        /** Go on at the start of the next segment. */
        CONTINUE,
        /** The journal ends here. */
        END,
        /** Something that was durable is missing: do not start. */
        REFUSE
    }

    /**
     * Where the journal goes on.
     *
     * @param segment to append to
     * @param position in it
     * @param lastEntry entry of the batch before
     * @param applied last position that the state holds
     * @param epochMax highest epoch seen; the new one must be higher
     */
    record Recovered(
            Segment segment, long position, long lastEntry, Position applied, long epochMax) {}

    private final Segments segments;
    private final StateMachine machine;
    private final RestorePoint restorePoint;
    private final JournalMeter meter;
    private final BatchCodec codec = new BatchCodec();

    private long expectedEntry;
    private long previousEpoch;
    private long epochMax;
    private Position applied;

    JournalRecovery(
            Segments segments,
            StateMachine machine,
            RestorePoint restorePoint,
            JournalMeter meter) {
        this.segments = segments;
        this.machine = machine;
        this.restorePoint = restorePoint;
        this.meter = meter;
        this.applied = restorePoint.at();
    }

    /** The table. */
    static Action decide(Finding finding, Next next, boolean isProvenDurable) {
        if (finding == Finding.VALID) {
            return Action.REPLAY;
        }
        return switch (next) {
            case EXPECTED -> Action.CONTINUE;
            case ELSEWHERE -> Action.REFUSE;
            case NONE -> isProvenDurable ? Action.REFUSE : Action.END;
        };
    }

    /** Restores and replays; on return all that was replayed is durable. */
    Recovered run() {
        machine.restore(restorePoint.state(), restorePoint.at());
        dropHalfMadeSegment();
        long restored = restorePoint.at().entry();
        List<Segment> all = segments.inOrder();
        if (all.isEmpty()) {
            if (restored > 0) {
                throw corrupt(
                        segments.description()
                                + " holds no segment, but the checkpoint ends at entry "
                                + restored);
            }
            Segment first = segments.roll(1, 0, segments.lengthFor(0));
            return new Recovered(first, SegmentHeader.LENGTH, 0, applied, 0);
        }
        int at = startSegment(all, restored);
        expectedEntry = all.get(at).firstEntry();
        long end = replaySegment(all, at);
        while (end < 0) {
            at++;
            end = replaySegment(all, at);
        }
        Segment last = all.get(at);
        if (expectedEntry <= restored) {
            // The checkpoint holds entries that were written and never forced; they went with the
            // power. Nothing of the old segments counts any more.
            expectedEntry = restored + 1;
            last = segments.roll(expectedEntry, epochMax, segments.lengthFor(0));
            end = SegmentHeader.LENGTH;
        }
        segments.trim(restored);
        return new Recovered(last, end, expectedEntry - 1, applied, epochMax);
    }

    /** A segment without header and batches is one that was just being made; it holds nothing. */
    private void dropHalfMadeSegment() {
        List<Segment> all = segments.inOrder();
        if (all.isEmpty()) {
            return;
        }
        Segment last = all.get(all.size() - 1);
        boolean isHalfMade;
        try (StoreFile file = segments.open(last)) {
            SegmentReader reader = new SegmentReader(file, last.firstEntry(), codec);
            isHalfMade =
                    SegmentHeader.condition(reader.headerBlock()) == SegmentHeader.Condition.DAMAGED
                            && reader.scan(SegmentHeader.LENGTH, last.firstEntry(), 0).epochMax()
                                    == 0;
        }
        if (isHalfMade) {
            segments.dropLast();
        }
    }

    /** The last segment that starts at or before the first entry to replay. */
    private int startSegment(List<Segment> all, long restored) {
        int start = -1;
        for (int i = 0; i < all.size() && all.get(i).firstEntry() <= restored + 1; i++) {
            start = i;
        }
        if (start < 0) {
            throw corrupt(
                    segments.describe(all.get(0))
                            + " is the first segment, but the checkpoint ends at entry "
                            + restored
                            + ": the entries between are missing");
        }
        return start;
    }

    /**
     * Replays a segment.
     *
     * @return the position where the journal ends, or -1 if it goes on in the next segment
     */
    private long replaySegment(List<Segment> all, int at) {
        Segment segment = all.get(at);
        Next next = Next.NONE;
        try (StoreFile file = segments.open(segment)) {
            SegmentReader reader = new SegmentReader(file, segment.firstEntry(), codec);
            readHeader(segment, reader);
            long position = SegmentHeader.LENGTH;
            while (true) {
                Finding finding = reader.look(position, expectedEntry, previousEpoch);
                Leftovers leftovers = new Leftovers(0, null);
                if (finding != Finding.VALID) {
                    next = next(all, at);
                    if (next == Next.NONE) {
                        leftovers = reader.scan(position, expectedEntry, previousEpoch);
                    }
                }
                Proof proof = leftovers.proof();
                switch (decide(finding, next, proof != null)) {
                    case REPLAY -> {
                        replay(reader);
                        position += reader.foundLength();
                    }
                    case CONTINUE -> {
                        return -1;
                    }
                    case REFUSE -> throw damaged(segment, position, next, proof);
                    case END -> {
                        epochMax = Math.max(epochMax, leftovers.epochMax());
                        // It was read, perhaps from memory only, and will be served from now on.
                        file.force(false);
                        return position;
                    }
                }
            }
        }
    }

    private Next next(List<Segment> all, int at) {
        if (at + 1 == all.size()) {
            return Next.NONE;
        }
        return all.get(at + 1).firstEntry() == expectedEntry ? Next.EXPECTED : Next.ELSEWHERE;
    }

    private void readHeader(Segment segment, SegmentReader reader) {
        ByteBuffer block = reader.headerBlock();
        switch (SegmentHeader.condition(block)) {
            case DAMAGED ->
                    throw corrupt(
                            segments.describe(segment) + " at position 0: the header is damaged");
            case NEWER ->
                    throw new StoreException(
                            Kind.VERSION,
                            segments.describe(segment)
                                    + " needs a reader of version "
                                    + block.getInt(SegmentHeader.OLDEST_READER_OFFSET)
                                    + ", this release has "
                                    + SegmentHeader.VERSION
                                    + "; start the release that wrote it");
            case GOOD -> {
                SegmentHeader header = SegmentHeader.decode(block);
                if (header.firstEntry() != segment.firstEntry()) {
                    throw corrupt(
                            segments.describe(segment)
                                    + " at position 0: the header says that the first entry is "
                                    + header.firstEntry());
                }
                previousEpoch = Math.max(previousEpoch, header.previousEpoch());
                epochMax = Math.max(epochMax, previousEpoch);
            }
        }
    }

    private void replay(SegmentReader reader) {
        if (expectedEntry > restorePoint.at().entry()) {
            Batch batch = reader.foundBatch();
            int count = batch.records().size();
            List<Result> results = machine.apply(new Position(expectedEntry, 0), batch);
            Invariants.check(
                    results.size() == count, "there is a result per record", expectedEntry);
            applied = new Position(expectedEntry, count - 1);
            meter.written(expectedEntry, reader.foundLength());
        }
        previousEpoch = reader.foundEpoch();
        epochMax = Math.max(epochMax, previousEpoch);
        expectedEntry++;
    }

    private StoreException damaged(
            Segment segment, long position, Next next, @Nullable Proof proof) {
        String shown =
                next == Next.ELSEWHERE || proof == null
                        ? "the next segment"
                        : "entry " + proof.entry() + " at position " + proof.position();
        return corrupt(
                segments.describe(segment)
                        + " at position "
                        + position
                        + ": entry "
                        + expectedEntry
                        + " is damaged or missing, and "
                        + shown
                        + " shows that it was durable");
    }

    private static StoreException corrupt(String what) {
        return new StoreException(
                Kind.CORRUPT,
                what
                        + "; the broker does not start, so that nothing acknowledged is lost"
                        + " unnoticed: restore the data directory from a backup");
    }
}
