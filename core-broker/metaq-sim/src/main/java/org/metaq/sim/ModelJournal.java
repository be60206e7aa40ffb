package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.store.journal.Batch;
import org.metaq.store.journal.BusyException;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.Journal;
import org.metaq.store.journal.JournalRecord;
import org.metaq.store.journal.Position;
import org.metaq.store.journal.Receipt;
import org.metaq.store.journal.Result;
import org.metaq.store.journal.Role;
import org.metaq.store.journal.StateMachine;
import org.metaq.store.journal.UnknownOutcomeException;

/**
 * The journal of one leader of a {@link ModelCluster}. What is appended waits in a tail until a
 * majority has it, which happens when the simulation says; then it is applied and answered. When
 * the leader is deposed, all that waits is answered as unknown, though some of it may count.
 */
final class ModelJournal implements Journal {
    private static final Role NONE = new Role.Following("");

    private final ModelCluster cluster;
    private final Random random;
    private final Deque<Pending> tail = new ArrayDeque<>();
    private @Nullable StateMachine machine;
    private int applied;
    private Position position = Position.START;
    private long bytes;
    private long epoch;
    private boolean isLeading;

    /** Commit everything at once in {@link #doWork}, instead of some of it by chance. */
    private boolean isPrompt = true;

    private static final class Pending implements Receipt {
        final Batch batch;
        final CompletableFuture<Void> accepted = CompletableFuture.completedFuture(null);
        final CompletableFuture<List<Result>> applied = new CompletableFuture<>();

        Pending(Batch batch) {
            this.batch = batch;
        }

        @Override
        public CompletionStage<Void> accepted() {
            return accepted;
        }

        @Override
        public CompletionStage<List<Result>> applied() {
            return applied;
        }
    }

    ModelJournal(ModelCluster cluster, Random random) {
        this.cluster = cluster;
        this.random = random;
    }

    /** True: each turn commits all that was appended. */
    void setPrompt(boolean prompt) {
        isPrompt = prompt;
    }

    /** True if batches wait for a majority. */
    boolean hasTail() {
        return !tail.isEmpty();
    }

    @Override
    public void start(StateMachine to, Consumer<Role> roles) {
        machine = to;
        to.restore(ByteBuffer.allocate(0), Position.START);
        applyCommitted();
        epoch = cluster.nextEpoch();
        isLeading = true;
        roles.accept(new Role.Leading(epoch));
    }

    @Override
    public Receipt append(Batch batch) throws BusyException {
        if (!isLeading || batch.epoch() != epoch) {
            throw new IllegalStateException("not the leader in epoch " + batch.epoch());
        }
        Pending pending = new Pending(ModelCluster.copy(batch));
        tail.add(pending);
        return pending;
    }

    @Override
    public int doWork(long nowNs) {
        int count = isPrompt ? tail.size() : random.nextInt(tail.size() + 1);
        for (int i = 0; i < count; i++) {
            Pending pending = tail.removeFirst();
            cluster.commit(pending.batch);
            List<Result> results = applyCommitted();
            pending.applied.complete(results);
            if (pending.batch.records().get(0).type() == EPOCH) {
                cluster.takeLate().forEach(cluster::commit);
                applyCommitted();
            }
        }
        return count;
    }

    private static final short EPOCH = org.metaq.broker.state.RecordType.EPOCH.code();

    /** Applies what a majority has and this replica has not applied; the last batch's results. */
    private List<Result> applyCommitted() {
        StateMachine to = machine;
        List<Result> last = List.of();
        while (to != null && applied < cluster.committed().size()) {
            Batch batch = cluster.committed().get(applied++);
            position = new Position(applied, 0);
            last = to.apply(position, batch);
            for (JournalRecord each : batch.records()) {
                bytes += each.body().remaining();
            }
        }
        return last;
    }

    /**
     * Another leads; what waits ends as unknown. Gives how many waiting batches count all the same.
     */
    int depose() {
        isLeading = false;
        List<Batch> batches = new ArrayList<>();
        tail.forEach(pending -> batches.add(pending.batch));
        int kept = cluster.depose(batches, random);
        for (Pending each : tail) {
            each.applied.completeExceptionally(
                    new UnknownOutcomeException("another broker leads now"));
        }
        tail.clear();
        return kept;
    }

    @Override
    public void checkpointed(Checkpoint checkpoint) {
        bytes = 0;
    }

    @Override
    public Status status() {
        return new Status(isLeading ? new Role.Leading(epoch) : NONE, position, bytes);
    }

    @Override
    public void close() {
        isLeading = false;
    }
}
