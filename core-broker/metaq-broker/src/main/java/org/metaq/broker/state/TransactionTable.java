package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus.Share;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;
import org.metaq.store.log.SpillFile;

/**
 * Open and prepared branches with their pending messages, the outcomes of finished ones, and the
 * outcomes that an operator chose for prepared ones. Part of the state: changed by {@link
 * BrokerState#apply} only.
 */
final class TransactionTable {
    /** What a branch does to the rest of the state. */
    interface Effects {
        void lock(Settlement acknowledged);

        /** What is acknowledged, by destination. */
        List<Share> shares(Settlement acknowledged);

        void unlock(Settlement acknowledged);

        void acknowledge(Settlement acknowledged);

        /** Counts deliveries and gives back, as the redelivery says. */
        void releaseDelivered(Settlement delivered, Redelivery redelivery);

        /** Stores a pending message: the body of its SEND or SEND_PARTS. */
        void store(ByteBuffer sendBody);

        /** The branch has its outcome: bodies of its messages that lie elsewhere may go. */
        void finished(BranchId branch);
    }

    private final Views views;
    private final Effects effects;
    private final long memoryLimitBytes;
    private final Branches branches;
    private final Map<BranchId, HeuristicOutcome> heuristics = new LinkedHashMap<>();
    private final Outcomes outcomes;
    private final SharedSpills sharedSpills;

    private long nextSpillId = 1;
    private long memoryBytes;

    TransactionTable(Views views, Effects effects, Outcomes outcomes, long memoryLimitBytes) {
        this.views = views;
        this.effects = effects;
        this.memoryLimitBytes = memoryLimitBytes;
        this.outcomes = outcomes;
        this.sharedSpills = new SharedSpills(views, this::takeSpillId);
        this.branches = new Branches(new BranchCodec(views, sharedSpills));
    }

    @Nullable Branch branch(BranchId id) {
        return branches.get(id);
    }

    Branches branches() {
        return branches;
    }

    Map<BranchId, HeuristicOutcome> heuristics() {
        return heuristics;
    }

    Outcomes outcomes() {
        return outcomes;
    }

    /** Adds a message to a branch, which starts with it; why not, or null if it was added. */
    Applied.@Nullable Refused send(BranchId id, Records.Send send, ByteBuffer sendBody) {
        Branch branch = branches.getOrOpen(id);
        if (branch.state() != BranchState.OPEN) {
            return new Applied.Refused(
                    ErrorCode.XAER_PROTO, id + " is " + branch.state() + ": no more sends");
        }
        addPending(branch, send, sendBody);
        return null;
    }

    private void addPending(Branch branch, Records.Send send, ByteBuffer sendBody) {
        PendingMessages pending = branch.pending();
        int before = pending.memoryBytes();
        pending.add(send, sendBody);
        memoryBytes += pending.memoryBytes() - before;
        if (pending.spill() != null) {
            return;
        }
        if (pending.storedBytes() > PendingMessages.SMALL_MAX) {
            memoryBytes -= pending.memoryBytes();
            long spillId = takeSpillId();
            pending.spillTo(views.createSpill(spillId), spillId).forEach(sharedSpills::drop);
        } else if (memoryBytes > memoryLimitBytes) {
            memoryBytes -= pending.memoryBytes();
            pending.spillTo(sharedSpills);
        }
    }

    Applied prepare(BranchId id, Settlement acknowledged, BranchOrigin origin, long timeMs) {
        Branch branch = branches.getOrOpen(id);
        if (branch.state() != BranchState.OPEN) {
            return new Applied.Refused(ErrorCode.XAER_PROTO, id + " is " + branch.state());
        }
        branch.prepare(acknowledged, origin, timeMs);
        effects.lock(acknowledged);
        return Applied.Done.DONE;
    }

    Applied commit(BranchId id, boolean onePhase, Settlement acknowledged, long timeMs) {
        Branch branch = branches.get(id);
        if (branch == null && !onePhase) {
            return new Applied.Refused(ErrorCode.XAER_NOTA, "no branch " + id);
        }
        if (branch == null) {
            branch = Branch.open(id);
        }
        if (onePhase == (branch.state() == BranchState.PREPARED)) {
            return new Applied.Refused(
                    ErrorCode.XAER_PROTO,
                    id + " is " + branch.state() + (onePhase ? ": two phases" : ": one phase"));
        }
        doCommit(branch);
        effects.acknowledge(acknowledged);
        finish(branch, Outcome.COMMITTED, timeMs);
        return Applied.Done.DONE;
    }

    private void doCommit(Branch branch) {
        effects.unlock(branch.acknowledged());
        effects.acknowledge(branch.acknowledged());
        branch.pending().forEach(effects::store);
    }

    Applied rollback(
            BranchId id,
            Outcome outcome,
            Settlement delivered,
            Redelivery redelivery,
            long timeMs) {
        Branch branch = branches.get(id);
        if (branch == null) {
            branch = Branch.open(id);
        }
        if (branch.state() == BranchState.PREPARED) {
            doRollback(branch, redelivery);
        } else {
            effects.releaseDelivered(delivered, redelivery);
        }
        finish(branch, outcome, timeMs);
        return Applied.Done.DONE;
    }

    private void doRollback(Branch branch, Redelivery redelivery) {
        Settlement held = branch.acknowledged();
        effects.unlock(held);
        effects.releaseDelivered(held, redelivery);
    }

    /** An operator decides over a prepared branch; what was decided is kept until forgotten. */
    Applied settleByHand(BranchId id, boolean commits, Redelivery redelivery, long timeMs) {
        Branch branch = branches.get(id);
        if (branch == null || branch.state() != BranchState.PREPARED) {
            return new Applied.Refused(
                    branch == null ? ErrorCode.XAER_NOTA : ErrorCode.XAER_PROTO,
                    id + " is not prepared: only in-doubt branches can be settled by hand");
        }
        HeuristicOutcome outcome =
                new HeuristicOutcome(
                        id,
                        commits,
                        timeMs,
                        branch.preparedMs(),
                        branch.origin(),
                        branch.sent(),
                        effects.shares(branch.acknowledged()));
        if (commits) {
            doCommit(branch);
        } else {
            doRollback(branch, redelivery);
        }
        remove(branch, commits ? BranchState.COMMITTED : BranchState.ROLLED_BACK);
        heuristics.put(id, outcome);
        // of a branch of the same Xid that was lost: not to be told once this is forgotten
        outcomes.remove(id);
        return Applied.Done.DONE;
    }

    Applied forget(BranchId id) {
        return heuristics.remove(id) != null
                ? Applied.Done.DONE
                : new Applied.Refused(ErrorCode.XAER_NOTA, id + " has no heuristic outcome");
    }

    /** A new epoch: open branches were bound to connections, which are gone. */
    void startEpoch(long timeMs) {
        branches.others().stream()
                .filter(branch -> branch.state() == BranchState.OPEN)
                .forEach(branch -> finish(branch, Outcome.CONNECTION_LOST, timeMs));
    }

    private void finish(Branch branch, Outcome outcome, long timeMs) {
        remove(
                branch,
                outcome == Outcome.COMMITTED ? BranchState.COMMITTED : BranchState.ROLLED_BACK);
        outcomes.add(branch.id(), outcome, timeMs);
    }

    private void remove(Branch branch, BranchState last) {
        branch.become(last);
        memoryBytes -= branch.pending().memoryBytes();
        SpillFile spill = branch.pending().spill();
        if (spill != null) {
            views.deleteSpill(spill);
        }
        branch.pending().pieces().forEach(sharedSpills::drop);
        branches.remove(branch.id());
        effects.finished(branch.id());
    }

    // ---- checkpoints

    /** Flushes and names the spill files. */
    void forEachSpill(Consumer<SpillFile> consumer) {
        List<SpillFile> spills = new ArrayList<>();
        for (Branch branch : branches.others()) {
            SpillFile spill = branch.pending().spill();
            if (spill != null) {
                spills.add(spill);
            }
        }
        sharedSpills.all().forEach(file -> spills.add(file.spill()));
        spills.forEach(SpillFile::flush);
        spills.forEach(consumer);
    }

    SharedSpills sharedSpills() {
        return sharedSpills;
    }

    /** A number for a spill file, given once. */
    long takeSpillId() {
        return nextSpillId++;
    }

    long nextSpillId() {
        return nextSpillId;
    }

    void restoreNextSpillId(long id) {
        nextSpillId = id;
    }

    void restore(Branch branch) {
        branches.restore(branch);
        memoryBytes += branch.pending().memoryBytes();
        effects.lock(branch.acknowledged());
    }

    /** What these hold is restored with the cursors. */
    void restore(Branches.Waiting waiting) {
        branches.restore(waiting);
        memoryBytes += waiting.memoryBytes();
    }

    void restore(HeuristicOutcome outcome) {
        heuristics.put(outcome.branch(), outcome);
    }

    void clear() {
        branches.clear();
        heuristics.clear();
        outcomes.clear();
        sharedSpills.clear();
        memoryBytes = 0;
    }
}
