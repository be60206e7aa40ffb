package org.metaq.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.BrokerState;
import org.metaq.common.Clock;
import org.metaq.store.StoreException;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.Journal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a checkpoint every so many journal bytes, after some time if there is anything new, soon
 * after logs were trimmed, and when it is asked for: cut on the writer thread, finished in the
 * background, told to the journal on the writer thread. Confined to the writer thread but for
 * {@link #run}.
 */
final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final long IDLE_NS = 1_000_000_000L;
    private static final long UNDER_WAY_NS = 20_000_000L;

    private final BrokerState state;
    private final Journal journal;
    private final Executor background;
    private final Clock clock;
    private final long checkpointBytes;
    private final long intervalNs;

    private @Nullable Checkpoint underWay;
    private long startedNs;
    private boolean isStopping;

    /** Who waits for a checkpoint that has not begun yet, and for the one under way. */
    private List<CompletableFuture<String>> requested = new ArrayList<>();

    private List<CompletableFuture<String>> served = List.of();

    /**
     * Written by the background thread in {@link #run}, read by the writer thread in {@link
     * #doWork}.
     */
    private volatile boolean isFinished;

    /** As {@link #isFinished}: why it failed. */
    private volatile @Nullable RuntimeException failure;

    Checkpoints(
            BrokerState state,
            Journal journal,
            Executor background,
            Clock clock,
            BrokerConfig config) {
        this.state = state;
        this.journal = journal;
        this.background = background;
        this.clock = clock;
        this.checkpointBytes = config.checkpointBytes();
        // an interval of centuries is one that never ends
        this.intervalNs =
                Math.min(config.checkpointIntervalMs(), Long.MAX_VALUE / 2_000_000) * 1_000_000;
        this.startedNs = clock.monotonicNs();
    }

    /** Starts a checkpoint when it is time, and takes notice of a finished one. */
    int doWork() {
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
        Checkpoint checkpoint = underWay;
        if (checkpoint != null && isFinished) {
            underWay = null;
            journal.checkpointed(checkpoint);
            served.forEach(waiting -> waiting.complete("checkpoint at " + checkpoint.at()));
            served = List.of();
            return 1;
        }
        if (checkpoint == null && !isStopping && isTime()) {
            start();
            return 1;
        }
        return 0;
    }

    private boolean isTime() {
        long newBytes = journal.status().bytesSinceCheckpoint();
        return newBytes >= checkpointBytes
                || !requested.isEmpty()
                || state.hasTrimmed()
                || (newBytes > 0 && clock.monotonicNs() - startedNs >= intervalNs);
    }

    /** A checkpoint that begins after this; the future completes in {@link #doWork}. */
    CompletableFuture<String> request() {
        CompletableFuture<String> waiting = new CompletableFuture<>();
        requested.add(waiting);
        return waiting;
    }

    private void start() {
        Checkpoint checkpoint = state.cut();
        underWay = checkpoint;
        startedNs = clock.monotonicNs();
        served = requested;
        requested = new ArrayList<>();
        isFinished = false;
        background.execute(() -> run(checkpoint));
    }

    private void run(Checkpoint checkpoint) {
        try {
            checkpoint.finish();
            isFinished = true;
            LOG.debug("checkpoint={}", checkpoint.at().entry());
        } catch (StoreException e) {
            failure = e;
        }
    }

    /**
     * How long the writer may sleep, so that a finished checkpoint and flush intervals are noticed.
     */
    long maxIdleNs() {
        return underWay != null ? UNDER_WAY_NS : IDLE_NS;
    }

    /** From now on none starts but the last, in {@link #finish}. */
    void startNoMore() {
        isStopping = true;
    }

    /** A last checkpoint, on this thread; left out if one is still under way in the background. */
    void finish() {
        if (underWay != null && isFinished) {
            doWork();
        }
        if (underWay == null) {
            Checkpoint last = state.cut();
            last.finish();
            journal.checkpointed(last);
            requested.forEach(waiting -> waiting.complete("checkpoint at " + last.at()));
            requested = new ArrayList<>();
        }
    }
}
