package org.metaq.broker.state;

import java.util.List;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus.Share;

/**
 * What an operator decided over a prepared branch, against the word of its transaction manager; and
 * whose branch it was.
 *
 * @param isCommitted committed, else rolled back
 * @param timeMs when, ms since 1970
 * @param preparedMs when it was prepared, ms since 1970; 0: not known
 * @param origin who began it
 * @param sent what a commit stored, or would have, by destination
 * @param acknowledged what it had consumed, by destination
 */
public record HeuristicOutcome(
        BranchId branch,
        boolean isCommitted,
        long timeMs,
        long preparedMs,
        BranchOrigin origin,
        List<Share> sent,
        List<Share> acknowledged) {
    /** Copies the lists. */
    public HeuristicOutcome {
        sent = List.copyOf(sent);
        acknowledged = List.copyOf(acknowledged);
    }

    /** Of a branch of which no more is known. */
    public HeuristicOutcome(BranchId branch, boolean isCommitted, long timeMs) {
        this(branch, isCommitted, timeMs, 0, BranchOrigin.UNKNOWN, List.of(), List.of());
    }
}
