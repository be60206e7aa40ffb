package org.metaq.bench;

import org.jspecify.annotations.Nullable;

/** A thread of a workload. Its counter may be read by any thread. */
final class Member {
    private final Thread thread;
    private final Task task;
    // Written by the member's thread, read by the one that measures.
    private volatile long count;
    private volatile @Nullable Throwable failure;

    /** What a member does. */
    interface Task {
        /** Works until the crew is told to stop, and counts with {@link Member#add}. */
        void run(Member self) throws Exception;
    }

    Member(String name, Task task) {
        this.task = task;
        this.thread = new Thread(this::runAndNote, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Waits for the end; false if it takes longer than that. */
    boolean awaitEnd(long timeoutMs) throws InterruptedException {
        thread.join(timeoutMs);
        return !thread.isAlive();
    }

    /** True once it was started and its task is over. */
    boolean hasEnded() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** What it did so far; of a transaction after its end only. */
    long count() {
        return count;
    }

    /** What ended it before its time; null if nothing did. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** Adds to the counter. Called by the member's thread. */
    void add(int done) {
        // One writer: no other thread can come between.
        @SuppressWarnings("NonAtomicVolatileUpdate")
        long sum = count + done;
        count = sum;
    }

    private void runAndNote() {
        try {
            task.run(this);
        } catch (Exception | LinkageError e) {
            failure = e;
        }
    }
}
