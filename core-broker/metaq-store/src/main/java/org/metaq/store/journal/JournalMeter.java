package org.metaq.store.journal;

import java.util.ArrayDeque;
import java.util.Deque;

/** Counts the journal's bytes behind the last checkpoint. Confined to the writer thread. */
final class JournalMeter {
    /** Bytes between two marks: how much too high the count may be. */
    private static final long MARK_DISTANCE = 64 * 1024;

    /** Total when {@code entry} was the last. */
    private record Mark(long entry, long total) {}

    private final Deque<Mark> marks = new ArrayDeque<>();
    private long total;
    private long totalAtMark;
    private long totalAtCheckpoint;
    private long lastEntry;

    /** A batch was written or replayed; entries come in order. */
    void written(long entry, long length) {
        total += length;
        lastEntry = entry;
        if (total - totalAtMark >= MARK_DISTANCE) {
            marks.add(new Mark(entry, total));
            totalAtMark = total;
        }
    }

    /** A checkpoint that holds all up to {@code entry} is finished. */
    void checkpointed(long entry) {
        for (Mark mark = marks.peek(); mark != null && mark.entry() <= entry; mark = marks.peek()) {
            totalAtCheckpoint = mark.total();
            marks.remove();
        }
        if (entry >= lastEntry) {
            totalAtCheckpoint = total;
        }
    }

    long bytesSinceCheckpoint() {
        return total - totalAtCheckpoint;
    }
}
