package org.metaq.broker.state;

import org.metaq.common.BranchId;
import org.metaq.common.Invariants;
import org.metaq.protocol.Settlement;

/** One transaction's work on this broker: pending messages, and once prepared, acknowledgements. */
public final class Branch {
    private final BranchId id;
    private final PendingMessages pending;
    private BranchState state = BranchState.OPEN;
    private Settlement acknowledged = Settlement.NONE;
    private long preparedMs;

    Branch(BranchId id, PendingMessages pending) {
        this.id = id;
        this.pending = pending;
    }

    static Branch open(BranchId id) {
        return new Branch(id, new PendingMessages());
    }

    /** Its name. */
    public BranchId id() {
        return id;
    }

    /** Where it stands. */
    public BranchState state() {
        return state;
    }

    /** When it was prepared, ms since 1970; 0 before. */
    public long preparedMs() {
        return preparedMs;
    }

    PendingMessages pending() {
        return pending;
    }

    /** How many messages a commit stores. */
    public int pendingCount() {
        return pending.count();
    }

    /** What a prepared branch holds; empty before. */
    public Settlement acknowledged() {
        return acknowledged;
    }

    void prepare(Settlement held, long timeMs) {
        become(BranchState.PREPARED);
        acknowledged = held;
        preparedMs = timeMs;
    }

    void become(BranchState next) {
        Invariants.check(
                state.canBecome(next), "a branch moves as its states allow", id, state, next);
        state = next;
    }
}
