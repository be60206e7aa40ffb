package org.metaq.broker;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Applied;
import org.metaq.protocol.ErrorCode;
import org.metaq.store.journal.BusyException;
import org.metaq.store.journal.Journal;
import org.metaq.store.journal.Receipt;
import org.metaq.store.journal.Result;

/**
 * Takes what was submitted to the journal, batch by batch, and has it applied and answered.
 * Confined to the writer thread.
 */
final class Sequencer {
    /** Bodies in a batch that more than one message shares, bytes. */
    private static final int BATCH_LENGTH_MAX = 2 * 1024 * 1024;

    private final BrokerContext context;
    private final Journal journal;
    private final Runnable beforeAppend;
    private long epoch;

    /** What answering a command threw in this turn. */
    private @Nullable Throwable completionFailure;

    /**
     * A sequencer.
     *
     * @param beforeAppend adds what must go with the batch under way
     */
    Sequencer(BrokerContext context, Journal journal, Runnable beforeAppend) {
        this.context = context;
        this.journal = journal;
        this.beforeAppend = beforeAppend;
    }

    void startEpoch(long newEpoch) {
        epoch = newEpoch;
    }

    /** Epoch of the batches that are appended. */
    long epoch() {
        return epoch;
    }

    /** A batch with a large body gets no other: the journal limits how long a batch may be. */
    void makeRoom(int bodyLength) {
        if (context.batch.length() + (long) bodyLength > BATCH_LENGTH_MAX) {
            applyNow();
        }
    }

    /** Applies what was submitted, for a command that must see its effect. */
    void applyNow() {
        while (!context.batch.isEmpty()) {
            appendAndApply();
        }
    }

    /** Appends the batch under way, if there is one, and applies what the journal has. */
    int appendAndApply() {
        if (!context.batch.isEmpty()) {
            beforeAppend.run();
            long timeMs = context.nowMs();
            List<Consumer<Applied>> waiting = context.batch.takeCompletions();
            Receipt receipt;
            try {
                receipt = journal.append(context.batch.build(epoch, timeMs));
            } catch (BusyException e) {
                context.batch.clear();
                RecordBatch.fail(waiting, ErrorCode.BUSY, String.valueOf(e.getMessage()));
                return 1;
            }
            context.batch.clear();
            receipt.applied()
                    .whenComplete((results, failure) -> complete(waiting, results, failure));
        }
        int work = journal.doWork(context.clock.monotonicNs());
        throwCompletionFailure();
        return work;
    }

    /**
     * A stage keeps what its dependents throw to itself; here it is the end of the broker, since
     * those behind in the batch were not answered.
     */
    private void complete(
            List<Consumer<Applied>> waiting,
            @Nullable List<Result> results,
            @Nullable Throwable failure) {
        try {
            if (results != null) {
                RecordBatch.complete(waiting, results);
            } else {
                RecordBatch.fail(waiting, ErrorCode.UNKNOWN_OUTCOME, String.valueOf(failure));
            }
        } catch (RuntimeException | Error e) {
            completionFailure = e;
        }
    }

    private void throwCompletionFailure() {
        Throwable failure = completionFailure;
        completionFailure = null;
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
