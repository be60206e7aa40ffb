package org.metaq.broker;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.BrokerState;
import org.metaq.store.StoreException;
import org.metaq.store.journal.Checkpoint;
import org.metaq.store.journal.Journal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a checkpoint every so many journal bytes: cut on the writer thread, finished in the
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
    private final long checkpointBytes;

    private @Nullable Checkpoint underWay;

    /**
     * Written by the background thread in {@link #run}, read by the writer thread in {@link
     * #doWork}.
     */
    private volatile boolean isFinished;

    /** As {@link #isFinished}: why it failed. */
    private volatile @Nullable RuntimeException failure;

    Checkpoints(BrokerState state, Journal journal, Executor background, long checkpointBytes) {
        this.state = state;
        this.journal = journal;
        this.background = background;
        this.checkpointBytes = checkpointBytes;
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
            return 1;
        }
        if (checkpoint == null && journal.status().bytesSinceCheckpoint() >= checkpointBytes) {
            start();
            return 1;
        }
        return 0;
    }

    private Checkpoint start() {
        Checkpoint checkpoint = state.cut();
        underWay = checkpoint;
        isFinished = false;
        background.execute(() -> run(checkpoint));
        return checkpoint;
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

    /** A last checkpoint, on this thread; left out if one is still under way in the background. */
    void finish() {
        if (underWay != null && isFinished) {
            doWork();
        }
        if (underWay == null) {
            Checkpoint last = state.cut();
            last.finish();
            journal.checkpointed(last);
        }
    }
}
