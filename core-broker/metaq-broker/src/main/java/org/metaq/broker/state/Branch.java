package org.metaq.broker.state;

import java.util.List;
import org.metaq.common.BranchId;
import org.metaq.common.Invariants;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.Settlement;

/** One transaction's work on this broker: pending messages, and once prepared, acknowledgements. */
public final class Branch {
    private final BranchId id;
    private final PendingMessages pending;
    private BranchState state = BranchState.OPEN;
    private Settlement acknowledged = Settlement.NONE;
    private BranchOrigin origin = BranchOrigin.UNKNOWN;
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

    /** Who began it, known once it is prepared. */
    public BranchOrigin origin() {
        return origin;
    }

    PendingMessages pending() {
        return pending;
    }

    /** What a commit stores, by destination. */
    public List<BranchStatus.Share> sent() {
        return pending.shares();
    }

    /** What a prepared branch holds; empty before. */
    public Settlement acknowledged() {
        return acknowledged;
    }

    void prepare(Settlement held, BranchOrigin who, long timeMs) {
        become(BranchState.PREPARED);
        acknowledged = held;
        origin = who;
        preparedMs = timeMs;
    }

    void become(BranchState next) {
        Invariants.check(
                state.canBecome(next), "a branch moves as its states allow", id, state, next);
        state = next;
    }
}
