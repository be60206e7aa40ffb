package org.metaq.broker.state;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;

/**
 * Outcomes of finished branches, kept for a time, so that a repeated commit gets its first answer.
 * A session runs one local transaction at a time, so of each session only the last is kept; of all,
 * the last so many, however young, as memory is bounded.
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
    private final int countMax;

    /** Oldest first. */
    private final Map<Object, Entry> byKey = new LinkedHashMap<>();

    Outcomes(long retentionMs, int countMax) {
        this.retentionMs = retentionMs;
        this.countMax = countMax;
    }

    /** The outcome, or null if the branch is not known (any more). */
    public @Nullable Outcome of(BranchId branch) {
        Entry entry = byKey.get(key(branch));
        return entry == null || !entry.branch().equals(branch) ? null : entry.outcome();
    }

    /**
     * Whether every branch that ended since a time has its outcome here: it is within the
     * retention, and none of them had to make room.
     *
     * @param timeMs since 1970
     * @param nowMs since 1970
     */
    public boolean areAllKnown(long timeMs, long nowMs) {
        return nowMs - timeMs <= retentionMs
                && (byKey.size() < countMax || byKey.values().iterator().next().timeMs() < timeMs);
    }

    private static Object key(BranchId branch) {
        return branch.isXa() ? branch : branch.session();
    }

    void add(BranchId branch, Outcome outcome, long timeMs) {
        Object key = key(branch);
        byKey.remove(key);
        Iterator<Entry> oldest = byKey.values().iterator();
        while (oldest.hasNext()) {
            if (oldest.next().timeMs() >= timeMs - retentionMs && byKey.size() < countMax) {
                break;
            }
            oldest.remove();
        }
        byKey.put(key, new Entry(branch, outcome, timeMs));
    }

    void remove(BranchId branch) {
        byKey.remove(key(branch));
    }

    /** All that are kept, oldest first. */
    Collection<Entry> byAge() {
        return byKey.values();
    }

    void clear() {
        byKey.clear();
    }
}
