package org.metaq.broker.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;

/**
 * Outcomes of finished branches, kept for a time, so that a repeated commit gets its first answer.
 */
public final class Outcomes {
    /** Why a branch was rolled back, or that it was committed. Codes are on disk. */
    public enum Outcome {
        /** Committed. */
        COMMITTED(1),
        /** Rolled back because it was asked for. */
        ROLLED_BACK(2),
        /** Rolled back because it ran longer than its time-out. */
        TIMED_OUT(3),
        /** Rolled back because its connection was lost. */
        CONNECTION_LOST(4);

        private final int code;

        Outcome(int code) {
            this.code = code;
        }

        /** Stable number. */
        public int code() {
            return code;
        }

        /** The outcome with this code. */
        public static Outcome ofCode(int code) {
            for (Outcome outcome : values()) {
                if (outcome.code == code) {
                    return outcome;
                }
            }
            throw new IllegalStateException("no outcome has the code " + code);
        }
    }

    record Entry(BranchId branch, Outcome outcome, long timeMs) {}

    private final long retentionMs;
    private final Map<BranchId, Entry> byBranch = new HashMap<>();
    private final Deque<Entry> byAge = new ArrayDeque<>();

    Outcomes(long retentionMs) {
        this.retentionMs = retentionMs;
    }

    /** The outcome, or null if the branch is not known (any more). */
    public @Nullable Outcome of(BranchId branch) {
        Entry entry = byBranch.get(branch);
        return entry == null ? null : entry.outcome();
    }

    void add(BranchId branch, Outcome outcome, long timeMs) {
        while (!byAge.isEmpty() && byAge.getFirst().timeMs() < timeMs - retentionMs) {
            Entry old = byAge.removeFirst();
            byBranch.remove(old.branch(), old);
        }
        Entry entry = new Entry(branch, outcome, timeMs);
        byBranch.put(branch, entry);
        byAge.addLast(entry);
    }

    Deque<Entry> byAge() {
        return byAge;
    }

    void clear() {
        byBranch.clear();
        byAge.clear();
    }
}
