package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.metaq.common.BranchId;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.ProtocolException;
import org.metaq.store.StoreException;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.SpillFile;

/**
 * The small state as bytes: all that is not in the views. Layout in {@code docs/formats.md},
 * section State.
 */
final class Snapshot {
    static final int VERSION = 7;
    private static final int OLDEST_VERSION = 1;

    /** From this version on it has bodies of large messages. */
    private static final int VERSION_UPLOADS = 3;

    /** From this version on a cursor has marked ranges, and messages that wait. */
    private static final int VERSION_MARKS = 4;

    /** From this version on it has delayed messages. */
    private static final int VERSION_DELAYS = 4;

    /** From this version on a partition has the kinds of its messages. */
    private static final int VERSION_KINDS = 5;

    /**
     * From this version on small branches share spill files, and those that wait for their outcome
     * are apart, what they hold with the cursors.
     */
    static final int VERSION_WAITING = 7;

    /** From this version on it is kept whose branch an operator decided over. */
    private static final int VERSION_DECIDED_BRANCHES = 7;

    private static final int SCALARS_IN_VERSION_1 = 5;
    private static final int SUBSCRIPTION_SHARED = 1;
    private static final int SUBSCRIPTION_NO_LOCAL = 2;

    private final BrokerState state;

    Snapshot(BrokerState state) {
        this.state = state;
    }

    // ---- write

    ByteBuffer write() {
        BodyWriter out = new BodyWriter(4096);
        out.i32(VERSION);
        for (long scalar : state.scalars()) {
            out.i64(scalar);
        }
        out.i32(state.topics().size());
        for (Topic topic : state.topics()) {
            out.string(topic.text()).i32(topic.partitions().size());
            topic.partitions().forEach(p -> writePartition(out, p));
        }
        out.i32(state.subscriptions().size());
        state.subscriptions().forEach(subscription -> writeSubscription(out, subscription));
        Collection<SharedSpills.SharedFile> sharedSpills = state.sharedSpills().all();
        out.i32(sharedSpills.size());
        for (SharedSpills.SharedFile file : sharedSpills) {
            out.i64(file.id()).i64(file.spill().length()).i32(file.pieceCount());
        }
        List<Branch> branches = state.branchTable().others();
        out.i32(branches.size());
        branches.forEach(branch -> BranchCodec.write(out, branch));
        writeWaiting(out, state.branchTable().waiting());
        out.i32(state.outcomes().byAge().size());
        for (Outcomes.Entry entry : state.outcomes().byAge()) {
            out.string(entry.branch().toString()).u8(entry.outcome().code()).i64(entry.timeMs());
        }
        out.i32(state.producers().all().size());
        state.producers().all().forEach((id, last) -> writeProducer(out, id, last));
        out.i32(state.heuristics().size());
        for (HeuristicOutcome heuristic : state.heuristics()) {
            out.string(heuristic.branch().toString()).bool(heuristic.isCommitted());
            out.i64(heuristic.timeMs()).i64(heuristic.preparedMs());
            heuristic.origin().write(out);
            BranchStatus.writeShares(out, heuristic.sent());
            BranchStatus.writeShares(out, heuristic.acknowledged());
        }
        out.i32(state.uploads().all().size());
        state.uploads().all().forEach(upload -> writeUpload(out, upload));
        writeDelays(out);
        return out.toBuffer();
    }

    private static void writePartition(BodyWriter out, Partition partition) {
        out.i64(partition.log().endSequence()).bool(partition.isClosed());
        Kinds kinds = partition.kinds();
        long[] firsts = kinds.firsts();
        out.i64(kinds.end()).i32(firsts.length);
        for (long first : firsts) {
            out.i64(first).i32(kinds.of(first));
        }
    }

    private void writeDelays(BodyWriter out) {
        List<Partition> partitions = new ArrayList<>();
        for (Topic topic : state.topics()) {
            topic.partitions().stream().filter(p -> p.delayed() != null).forEach(partitions::add);
        }
        out.i32(partitions.size());
        for (Partition partition : partitions) {
            DelayLog delayed = Objects.requireNonNull(partition.delayed());
            out.string(partition.topic().text()).i32(partition.number());
            out.i64(delayed.log().endSequence()).i64(delayed.firstPending());
            out.i64(delayed.pendingCount()).i64(delayed.pendingBytes());
            out.i64(delayed.base()).bytes(delayed.movedBits());
        }
    }

    private static void writeSubscription(BodyWriter out, Subscription subscription) {
        Subscription.Terms terms = subscription.terms();
        out.i64(subscription.id()).string(terms.clientId()).string(terms.name());
        out.string(terms.topic());
        out.u8(
                (terms.shared() ? SUBSCRIPTION_SHARED : 0)
                        | (terms.noLocal() ? SUBSCRIPTION_NO_LOCAL : 0));
        out.string(terms.selector());
        for (Cursor cursor : subscription.cursors()) {
            out.i64(cursor.cursor()).i64(cursor.delayedFrom());
            writeRanges(out, cursor.marked());
            writeRanges(out, cursor.acknowledged());
            writeRanges(out, cursor.locked());
            out.i32(cursor.deliveries().size());
            cursor.deliveries().forEach((sequence, count) -> out.i64(sequence).i32(count));
            out.i32(cursor.dues().size());
            cursor.dues().forEach((s, due) -> out.i64(s).i64(due.ms()).bool(due.isStrict()));
        }
    }

    private static void writeRanges(BodyWriter out, SequenceSet set) {
        List<SequenceRange> ranges = set.ranges();
        out.i32(ranges.size());
        ranges.forEach(range -> out.i64(range.first()).i64(range.last()));
    }

    private static void writeWaiting(BodyWriter out, Branches.Waiting waiting) {
        out.i32(waiting.count()).i64(waiting.oldestMs()).i64(waiting.memoryBytes());
        out.i32(waiting.bytes().remaining()).raw(waiting.bytes());
    }

    private static void writeUpload(BodyWriter out, Upload upload) {
        out.i64(upload.id()).i64(upload.spillId()).i64(upload.spill().length());
        BranchId branch = upload.branch();
        out.i64(upload.bytes()).string(branch == null ? "" : branch.toString());
    }

    private static void writeProducer(BodyWriter out, long id, Producers.Last last) {
        out.i64(id).i64(last.sequence()).i64(last.timeMs());
        Applied.Stored answer = last.answer();
        out.i64(answer.messageId()).i32(answer.partition()).i64(answer.offset());
    }

    // ---- read

    void read(ByteBuffer bytes) {
        try {
            readChecked(new BodyReader(bytes));
        } catch (ProtocolException | IllegalArgumentException e) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT, "the checkpoint's state does not parse", e);
        }
    }

    private void readChecked(BodyReader in) throws ProtocolException {
        int version = in.i32();
        if (version < OLDEST_VERSION || version > VERSION) {
            throw new StoreException(
                    StoreException.Kind.VERSION,
                    "state of version %d; this release reads %d to %d"
                            .formatted(version, OLDEST_VERSION, VERSION));
        }
        long[] scalars = state.scalars();
        int scalarCount = version == 1 ? SCALARS_IN_VERSION_1 : scalars.length;
        for (int i = 0; i < scalarCount; i++) {
            scalars[i] = in.i64();
        }
        state.restoreScalars(scalars);
        for (int i = in.i32(); i > 0; i--) {
            readTopic(in, version);
        }
        for (int i = in.i32(); i > 0; i--) {
            readSubscription(in, version);
        }
        for (int i = version < VERSION_WAITING ? 0 : in.i32(); i > 0; i--) {
            state.sharedSpills().restore(in.i64(), in.i64(), in.i32());
        }
        BranchCodec branches = new BranchCodec(state.views(), state.sharedSpills());
        for (int i = in.i32(); i > 0; i--) {
            state.restoreBranch(branches.read(in, version));
        }
        if (version >= VERSION_WAITING) {
            state.restoreWaiting(readWaiting(in));
        }
        for (int i = in.i32(); i > 0; i--) {
            BranchId id = BranchId.parse(in.string());
            state.outcomes().add(id, Outcomes.Outcome.ofCode(in.u8()), in.i64());
        }
        for (int i = in.i32(); i > 0; i--) {
            readProducer(in);
        }
        for (int i = version == 1 ? 0 : in.i32(); i > 0; i--) {
            state.restoreHeuristic(readHeuristic(in, version));
        }
        for (int i = version < VERSION_UPLOADS ? 0 : in.i32(); i > 0; i--) {
            readUpload(in);
        }
        for (int i = version < VERSION_DELAYS ? 0 : in.i32(); i > 0; i--) {
            readDelayed(in);
        }
        in.end();
    }

    private void readTopic(BodyReader in, int version) throws ProtocolException {
        String name = in.string();
        int partitionCount = in.count(Long.BYTES);
        state.restoreTopic(name, partitionCount);
        Topic topic = topic(name);
        for (Partition partition : topic.partitions()) {
            requireEnd("partition log", partition, partition.log(), in.i64());
            if (version > 1) {
                partition.isClosed(in.bool());
            }
            if (version >= VERSION_KINDS) {
                readKinds(in, partition.kinds());
            }
        }
    }

    private static void readKinds(BodyReader in, Kinds kinds) throws ProtocolException {
        long end = in.i64();
        for (int i = in.count(Long.BYTES + Integer.BYTES); i > 0; i--) {
            kinds.restore(in.i64(), end, in.i32());
        }
    }

    private static void requireEnd(
            String what, Partition partition, MessageLog log, long expected) {
        long found = log.endSequence();
        if (found != expected) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    "%s %s-%d ends at sequence %d; the checkpoint says %d"
                            .formatted(
                                    what, partition.topic(), partition.number(), found, expected));
        }
    }

    private Topic topic(String name) {
        Topic topic = state.topic(name);
        if (topic == null) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT, "the checkpoint has no topic " + name);
        }
        return topic;
    }

    private void readSubscription(BodyReader in, int version) throws ProtocolException {
        long id = in.i64();
        String clientId = in.string();
        String name = in.string();
        String topic = in.string();
        int flags = in.u8();
        Subscription.Terms terms =
                new Subscription.Terms(
                        clientId,
                        name,
                        topic,
                        true,
                        (flags & SUBSCRIPTION_SHARED) != 0,
                        (flags & SUBSCRIPTION_NO_LOCAL) != 0,
                        in.string());
        Subscription subscription = new Subscription(id, terms, topic(topic));
        for (Cursor cursor : subscription.cursors()) {
            readCursor(in, cursor, version);
            cursor.partition().log().releaseBelow(cursor.cursor());
        }
        state.restoreSubscription(subscription);
    }

    private static void readCursor(BodyReader in, Cursor cursor, int version)
            throws ProtocolException {
        long position = in.i64();
        cursor.restore(position, version < VERSION_MARKS ? 0 : in.i64());
        if (version < VERSION_MARKS) {
            long mark = in.i64();
            readRanges(in, cursor.acknowledged());
            cursor.mark(cursor.cursor(), mark - 1);
        } else {
            readRanges(in, cursor.marked());
            readRanges(in, cursor.acknowledged());
        }
        if (version >= VERSION_WAITING) {
            readRanges(in, cursor.locked());
        }
        for (int i = in.count(Long.BYTES + Integer.BYTES); i > 0; i--) {
            cursor.deliveries().put(in.i64(), in.i32());
        }
        for (int i = version < VERSION_MARKS ? 0 : in.count(2 * Long.BYTES + 1); i > 0; i--) {
            cursor.dues().put(in.i64(), new Cursor.Due(in.i64(), in.bool()));
        }
    }

    private static void readRanges(BodyReader in, SequenceSet set) throws ProtocolException {
        for (int i = in.count(2 * Long.BYTES); i > 0; i--) {
            set.add(in.i64(), in.i64());
        }
    }

    private static Branches.Waiting readWaiting(BodyReader in) throws ProtocolException {
        return new Branches.Waiting(in.i32(), in.i64(), in.i64(), ByteBuffer.wrap(in.bytes()));
    }

    private static HeuristicOutcome readHeuristic(BodyReader in, int version)
            throws ProtocolException {
        BranchId id = BranchId.parse(in.string());
        boolean isCommitted = in.bool();
        long timeMs = in.i64();
        return version < VERSION_DECIDED_BRANCHES
                ? new HeuristicOutcome(id, isCommitted, timeMs)
                : new HeuristicOutcome(
                        id,
                        isCommitted,
                        timeMs,
                        in.i64(),
                        BranchOrigin.read(in),
                        BranchStatus.readShares(in),
                        BranchStatus.readShares(in));
    }

    private void readUpload(BodyReader in) throws ProtocolException {
        long id = in.i64();
        long spillId = in.i64();
        SpillFile spill = state.views().openSpill(spillId, in.i64());
        Upload upload = new Upload(id, spillId, spill, in.i64());
        String branch = in.string();
        if (!branch.isEmpty()) {
            upload.holdFor(BranchId.parse(branch));
        }
        state.uploads().restore(upload);
    }

    private void readDelayed(BodyReader in) throws ProtocolException {
        Topic topic = topic(in.string());
        int number = in.i32();
        if (!topic.hasPartition(number)) {
            throw new ProtocolException("delayed messages of no partition: " + number);
        }
        Partition partition = topic.partitions().get(number);
        DelayLog delayed = state.restoreDelayLog(partition);
        requireEnd("delay log", partition, delayed.log(), in.i64());
        long firstPending = in.i64();
        long count = in.i64();
        long bytes = in.i64();
        delayed.restore(in.i64(), in.bytes(), firstPending, count, bytes);
    }

    private void readProducer(BodyReader in) throws ProtocolException {
        long id = in.i64();
        long sequence = in.i64();
        long timeMs = in.i64();
        Applied.Stored answer = new Applied.Stored(in.i64(), in.i32(), in.i64());
        state.producers().restore(id, new Producers.Last(sequence, timeMs, answer));
    }
}
