package org.metaq.store.journal;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** What {@link Journal#append} gives: both stages complete on the writer thread. */
public interface Receipt {
    /** Completes when the batch has its place in the order; it may still be lost. */
    CompletionStage<Void> accepted();

    /**
     * Completes with a result per record, in order, when the batch is applied (and durable, where a
     * record needs that); fails with {@link UnknownOutcomeException}.
     */
    CompletionStage<List<Result>> applied();
}
