package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.metaq.store.journal.Batch;
import org.metaq.store.journal.JournalRecord;

/**
 * A replicated log: what a majority has, and the terms of its leaders. Batches that only the leader
 * has are its {@link ModelJournal}'s tail until {@link #commit} takes them.
 */
final class ModelCluster {
    private final List<Batch> committed = new ArrayList<>();
    private long epoch;

    /** Batches of deposed leaders that some follower got too late. */
    private final List<Batch> late = new ArrayList<>();

    /** An independent cluster with the same log. */
    ModelCluster copy() {
        ModelCluster copy = new ModelCluster();
        copy.committed.addAll(committed);
        copy.epoch = epoch;
        copy.late.addAll(late);
        return copy;
    }

    /** A majority has it. */
    void commit(Batch batch) {
        committed.add(batch);
    }

    /** What a majority has, oldest first. */
    List<Batch> committed() {
        return committed;
    }

    /** A new leader is elected. */
    long nextEpoch() {
        return ++epoch;
    }

    /**
     * The leader is deposed with a tail that no majority has: by chance the new leader has a first
     * part of it. The rest is truncated; or a batch of it comes late, behind the new epoch.
     *
     * @return how many batches were kept
     */
    int depose(List<Batch> tail, Random random) {
        int kept = random.nextInt(tail.size() + 1);
        committed.addAll(tail.subList(0, kept));
        if (kept < tail.size() && random.nextBoolean()) {
            late.add(tail.get(kept));
        }
        return kept;
    }

    /** The late batches; each is told once. */
    List<Batch> takeLate() {
        List<Batch> taken = List.copyOf(late);
        late.clear();
        return taken;
    }

    /** A batch that stays as it is whatever its maker does with its buffers. */
    static Batch copy(Batch batch) {
        List<JournalRecord> records = new ArrayList<>();
        for (JournalRecord each : batch.records()) {
            ByteBuffer body = ByteBuffer.allocate(each.body().remaining());
            body.put(each.body().duplicate()).flip();
            records.add(new JournalRecord(each.type(), body.asReadOnlyBuffer(), each.need()));
        }
        return new Batch(batch.epoch(), batch.timeMs(), records);
    }
}
