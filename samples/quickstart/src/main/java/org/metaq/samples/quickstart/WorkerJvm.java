package org.metaq.samples.quickstart;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The worker as its parent sees it: a process that tells its rows, and can be killed. */
final class WorkerJvm implements AutoCloseable {
    /** The first word of a line: committed rows follow. */
    static final String ROWS = "rows";

    /** A transaction is held between prepare and commit. */
    static final String BLOCKED = "blocked";

    /** Nothing is left to do; the worker ends. */
    static final String FINISHED = "finished";

    /** No further row for so long: something is wrong. */
    private static final long STALL_MAX_MS = 60_000;

    private static final long LINE_TIMEOUT_MS = 1_000;

    private final Path directory;
    private final Progress progress;
    private final String uri;
    private final int orders;
    private final Batching batching;
    private @Nullable ChildJvm process;
    private int rows;
    private boolean isBlocked;
    private boolean isFinished;

    WorkerJvm(Path directory, Progress progress, String uri, int orders, Batching batching) {
        this.directory = directory;
        this.progress = progress;
        this.uri = uri;
        this.orders = orders;
        this.batching = batching;
    }

    void start(int holdAfter) throws IOException {
        WorkerOptions options =
                new WorkerOptions(uri, directory, orders, batching.group(), holdAfter);
        process =
                ChildJvm.start(
                        "worker",
                        Jvms.worker(directory.resolve("worker.log"), options.toArguments()),
                        directory.resolve("worker.err"));
    }

    /** Committed rows that it told of. */
    int rows() {
        return rows;
    }

    void awaitRows(int count) throws FailedException, InterruptedException {
        await(() -> rows >= count, count + " rows");
    }

    void awaitBlocked() throws FailedException, InterruptedException {
        await(() -> isBlocked, "a transaction between prepare and commit");
    }

    /** Waits until it has finished and ended. */
    void awaitFinished() throws FailedException, InterruptedException {
        await(() -> isFinished, "its end");
        if (process != null && process.awaitEnd(STALL_MAX_MS) != 0) {
            throw new FailedException("the worker finished, but did not end well");
        }
    }

    private interface Condition {
        boolean holds();
    }

    private void await(Condition condition, String what)
            throws FailedException, InterruptedException {
        ChildJvm running = process;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        long lastChangeNs = System.nanoTime();
        while (!condition.holds()) {
            int before = rows;
            String line = running.line(LINE_TIMEOUT_MS);
            if (line != null) {
                take(line);
            }
            progress.count(rows);
            if (rows != before) {
                lastChangeNs = System.nanoTime();
            } else if (System.nanoTime() - lastChangeNs > STALL_MAX_MS * 1_000_000) {
                throw new FailedException(
                        "the worker stands still at "
                                + rows
                                + " rows, waiting for "
                                + what
                                + "; see "
                                + directory.resolve("worker.log"));
            }
        }
    }

    private void take(String line) {
        if (line.startsWith(ROWS)) {
            rows = Integer.parseInt(line.substring(ROWS.length()).strip());
        } else if (line.equals(BLOCKED)) {
            isBlocked = true;
        } else if (line.equals(FINISHED)) {
            isFinished = true;
        }
    }

    /** Kills it with -9. */
    void kill() throws InterruptedException {
        if (process != null) {
            process.kill();
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
