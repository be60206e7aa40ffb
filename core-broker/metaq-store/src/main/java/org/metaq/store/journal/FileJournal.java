package org.metaq.store.journal;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.common.Invariants;
import org.metaq.store.StoreException;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;

/**
 * The journal of a single broker, in files. Confined to the writer thread; has no thread and no
 * clock of its own.
 *
 * <p>Life: NEW -&gt; LEADING -&gt; CLOSED, or LEADING -&gt; DEAD -&gt; CLOSED when the disk fails
 * or {@code apply} throws. A dead journal takes nothing more and tries nothing again: after a
 * failed force it is not known what is on the disk, and a second force may report success for what
 * was lost.
 *
 * <p>The broker makes the first batch of its epoch the EPOCH record; whatever that asks for, the
 * journal forces the first batch before anything is applied. So no state, and no checkpoint, is
 * ever of an epoch that the journal does not know.
 */
public final class FileJournal implements Journal {
    /** Name of its directory, below that of the store. */
    public static final String DIRECTORY = Segments.DIRECTORY;

    private static final Role NONE = new Role.Following("");

    /** Without work for so long, the next segment may be made ready at full speed. */
    private static final long IDLE_NS = 20_000_000;

    private static final long NEVER = Long.MIN_VALUE;

    private enum Life {
        NEW,
        LEADING,
        DEAD,
        CLOSED
    }

    private final StoreDirectory directory;
    private final JournalOptions options;
    private final RestorePoint restorePoint;
    private final BatchCodec codec = new BatchCodec();
    private final JournalMeter meter = new JournalMeter();
    private final ForcePolicy policy;

    private Life life = Life.NEW;
    private @Nullable StoreException deathCause;
    private @Nullable StateMachine machine;
    private @Nullable Segments segments;
    private long epoch;
    private Position applied;

    /** When the last cycle had something to do, monotonic. */
    private long workedNs = NEVER;

    // What was appended: the group that takes batches, and where the next will go.
    private WriteGroup group;
    private long appendedEntry;
    private long tailFirstEntry;
    private long tailPosition;
    private long tailLength;

    // What was written.
    private WriteGroup written;
    private @Nullable StoreFile file;
    private long writePosition;
    private long writtenEntry;
    private long forcedEntry;
    private long writtenEpoch;

    /**
     * A journal in the directory {@code journal} below the given one; touches no file before {@link
     * #start}.
     *
     * @param restorePoint what the newest checkpoint holds
     */
    public FileJournal(
            StoreDirectory directory, JournalOptions options, RestorePoint restorePoint) {
        this.directory = directory;
        this.options = options;
        this.restorePoint = restorePoint;
        this.policy = new ForcePolicy(options);
        this.applied = restorePoint.at();
        this.group = new WriteGroup(options.maxBatchBytes());
        this.written = new WriteGroup(options.maxBatchBytes());
    }

    /**
     * {@inheritDoc}
     *
     * <p>The role is always {@link Role.Leading}, with an epoch higher than any that was used.
     *
     * @throws StoreException CORRUPT if something that was durable is damaged or missing, VERSION
     *     if a newer release wrote the journal, IO or DISK_FULL if the disk fails; nothing was
     *     removed
     */
    @Override
    public void start(StateMachine machine, Consumer<Role> roles) {
        if (life != Life.NEW) {
            throw new IllegalStateException("the journal was started before");
        }
        Segments found = Segments.load(directory, options);
        segments = found;
        JournalRecovery.Recovered end =
                new JournalRecovery(found, machine, restorePoint, meter).run();
        this.machine = machine;
        file = found.open(end.segment());
        tailFirstEntry = end.segment().firstEntry();
        tailPosition = end.position();
        tailLength = end.segment().length();
        writePosition = end.position();
        appendedEntry = end.lastEntry();
        writtenEntry = end.lastEntry();
        forcedEntry = end.lastEntry();
        writtenEpoch = end.epochMax();
        applied = end.applied();
        epoch = end.epochMax() + 1;
        life = Life.LEADING;
        roles.accept(new Role.Leading(epoch));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the batch has no record or is longer than {@link
     *     JournalOptions#maxBatchBytes}
     * @throws IllegalStateException if the journal is not started, is closed, or leads in another
     *     epoch
     * @throws StoreException if the journal is dead
     */
    @Override
    public Receipt append(Batch batch) throws BusyException {
        checkLeading();
        if (batch.epoch() != epoch) {
            throw new IllegalStateException(
                    "a batch of epoch " + batch.epoch() + ", but this broker leads in " + epoch);
        }
        if (batch.records().isEmpty()) {
            throw new IllegalArgumentException("a batch has at least one record");
        }
        int length = checkLength(BatchCodec.padded(BatchCodec.encodedLength(batch)));
        int index = group.length();
        ByteBuffer buffer = group.room(length);
        long entry = appendedEntry + 1;
        long rollLength = 0;
        if (length > tailLength - tailPosition) {
            rollLength = segments().lengthFor(length);
            tailFirstEntry = entry;
            tailPosition = SegmentHeader.LENGTH;
            tailLength = rollLength;
        }
        codec.encode(batch, entry, forcedEntry, tailFirstEntry, tailPosition, buffer, index);
        PendingBatch pending = new PendingBatch(entry, index, length, rollLength);
        group.add(pending, batch.records());
        appendedEntry = entry;
        tailPosition += length;
        return pending;
    }

    private int checkLength(long length) throws BusyException {
        int max = options.maxBatchBytes();
        if (length > max) {
            throw new IllegalArgumentException(
                    "a batch of " + length + " bytes is longer than maxBatchBytes, " + max);
        }
        if (length > max - group.length()) {
            throw new BusyException(
                    group.length()
                            + " bytes wait to be written, "
                            + length
                            + " more would exceed maxBatchBytes, "
                            + max);
        }
        return (int) length;
    }

    /**
     * {@inheritDoc}
     *
     * @throws StoreException if the disk fails; the journal is dead
     */
    @Override
    public int doWork(long nowNs) {
        checkLeading();
        try {
            int count = group.isEmpty() ? 0 : writeAndApply(nowNs);
            if (policy.isDue(nowNs)) {
                force();
                count++;
            }
            if (count > 0) {
                workedNs = nowNs;
            }
            // A synchronous client sends again within a round trip: an empty cycle is no idle one.
            boolean isIdle = workedNs == NEVER || nowNs - workedNs >= IDLE_NS;
            return segments().prepareSpare(isIdle) ? count + 1 : count;
        } catch (StoreException e) {
            die(e);
            throw e;
        } catch (RuntimeException e) {
            die(
                    new StoreException(
                            StoreException.Kind.IO, "a batch could not be applied: " + e, e));
            throw e;
        }
    }

    private int writeAndApply(long nowNs) {
        WriteGroup now = group;
        group = written;
        written = now;
        boolean isFirst = writtenEpoch < epoch;
        write(now);
        List<PendingBatch> batches = now.batches();
        for (int i = 0; i < batches.size(); i++) {
            batches.get(i).accept();
        }
        if (policy.written(now.sends(), now.transactions(), now.syncs(), nowNs)
                || isFirst
                || policy.isDue(nowNs)) {
            force();
        }
        for (int i = 0; i < batches.size(); i++) {
            apply(now, batches.get(i));
        }
        int count = batches.size();
        now.clear();
        return count;
    }

    /** One write, unless a segment gets full within the group. */
    private void write(WriteGroup now) {
        List<PendingBatch> batches = now.batches();
        int start = 0;
        for (int i = 0; i < batches.size(); i++) {
            PendingBatch batch = batches.get(i);
            if (batch.rollLength > 0) {
                writeBytes(now, start, batch.index);
                roll(batch);
                start = batch.index;
            }
            writtenEntry = batch.entry;
            writtenEpoch = epoch;
        }
        writeBytes(now, start, now.length());
    }

    private void writeBytes(WriteGroup now, int start, int end) {
        if (start < end) {
            file().write(now.bytes(start, end), writePosition);
            writePosition += end - start;
            segments().written(end - start);
        }
    }

    /** The next segment shows that all before is durable, so it is made so first. */
    private void roll(PendingBatch batch) {
        if (forcedEntry < writtenEntry) {
            force();
        }
        file().close();
        file = null;
        Segments all = segments();
        file = all.open(all.roll(batch.entry, writtenEpoch, batch.rollLength));
        writePosition = SegmentHeader.LENGTH;
    }

    private void force() {
        file().force(false);
        forcedEntry = writtenEntry;
        policy.forced();
    }

    private void apply(WriteGroup now, PendingBatch pending) {
        Batch batch = now.decode(pending);
        int count = batch.records().size();
        List<Result> results = machine().apply(new Position(pending.entry, 0), batch);
        Invariants.check(results.size() == count, "there is a result per record", pending.entry);
        applied = new Position(pending.entry, count - 1);
        meter.written(pending.entry, pending.length);
        pending.complete(results);
    }

    /**
     * {@inheritDoc}
     *
     * @throws StoreException if the disk fails; the journal is dead
     */
    @Override
    public void checkpointed(Checkpoint checkpoint) {
        checkLeading();
        long entry = checkpoint.at().entry();
        Invariants.check(
                entry <= applied.entry(),
                "a checkpoint holds nothing that was not applied",
                entry,
                applied);
        meter.checkpointed(entry);
        try {
            segments().trim(entry);
        } catch (StoreException e) {
            die(e);
            throw e;
        }
    }

    @Override
    public Status status() {
        Role role = life == Life.LEADING ? new Role.Leading(epoch) : NONE;
        return new Status(role, applied, meter.bytesSinceCheckpoint());
    }

    /**
     * Forces what was written, unless the journal is dead; what was appended and not applied ends
     * as unknown. The second time, nothing happens.
     *
     * @throws StoreException if the disk fails; the journal is closed all the same
     */
    @Override
    public void close() {
        if (life == Life.CLOSED) {
            return;
        }
        boolean isAlive = life == Life.LEADING;
        life = Life.CLOSED;
        lose("the journal was closed");
        StoreFile open = file;
        file = null;
        try (Segments all = segments;
                StoreFile last = open) {
            if (isAlive && last != null && forcedEntry < writtenEntry) {
                last.force(false);
            }
        }
    }

    private void die(StoreException cause) {
        life = Life.DEAD;
        deathCause = cause;
        lose("the journal is dead: " + cause.getMessage());
    }

    private void lose(String why) {
        UnknownOutcomeException unknown = new UnknownOutcomeException(why);
        for (WriteGroup each : List.of(written, group)) {
            each.batches().forEach(batch -> batch.lose(unknown));
            each.clear();
        }
    }

    private void checkLeading() {
        StoreException cause = deathCause;
        if (life == Life.DEAD && cause != null) {
            throw new StoreException(
                    cause.kind(), "the journal is dead: " + cause.getMessage(), cause);
        }
        if (life != Life.LEADING) {
            throw new IllegalStateException("the journal is " + life);
        }
    }

    private StateMachine machine() {
        StateMachine to = machine;
        if (to == null) {
            throw new IllegalStateException("the journal is " + life);
        }
        return to;
    }

    private Segments segments() {
        Segments all = segments;
        if (all == null) {
            throw new IllegalStateException("the journal is " + life);
        }
        return all;
    }

    private StoreFile file() {
        StoreFile open = file;
        if (open == null) {
            throw new IllegalStateException("the journal is " + life);
        }
        return open;
    }
}
