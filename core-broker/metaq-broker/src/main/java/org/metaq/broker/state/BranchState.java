package org.metaq.broker.state;

/**
 * Life of a branch as records know it. Moves: OPEN -&gt; {PREPARED, COMMITTED, ROLLED_BACK};
 * PREPARED -&gt; {COMMITTED, ROLLED_BACK}. Whether an open branch is ACTIVE or IDLE (X/Open XA) is
 * its connection's affair, and dies with it.
 */
public enum BranchState {
    /** Collects messages; an epoch or its connection's end rolls it back. */
    OPEN,
    /** In-doubt: survives everything until it is told the outcome. */
    PREPARED,
    /** Its messages are stored, its acknowledgements done. */
    COMMITTED,
    /** As if it had never been. */
    ROLLED_BACK;

    /** True if a branch may go from this state to {@code next}. */
    boolean canBecome(BranchState next) {
        return switch (this) {
            case OPEN -> next != OPEN;
            case PREPARED -> next == COMMITTED || next == ROLLED_BACK;
            case COMMITTED, ROLLED_BACK -> false;
        };
    }
}
