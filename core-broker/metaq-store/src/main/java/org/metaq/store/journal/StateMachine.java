package org.metaq.store.journal;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What records change. Deterministic: no clock, no randomness, no network; meets files only through
 * the views. Called on the writer thread.
 */
public interface StateMachine {
    /**
     * Applies a batch. Total: a bad command is a {@link Result}; an exception stops the broker.
     *
     * @param first position of the first record
     * @param batch its record bodies are valid during the call only
     * @return a result per record, in order
     */
    List<Result> apply(Position first, Batch batch);

    /**
     * Starts a checkpoint of all that was applied: serializes the small state, lists the files of
     * the views with their lengths. Cheap; the slow part is {@link Checkpoint#finish}.
     */
    Checkpoint cut();

    /**
     * Forgets all and loads a checkpoint; the views' files have been cut to its manifest.
     *
     * @param state what {@link #cut} serialized; empty for a new store
     * @param at where the journal will go on
     */
    void restore(ByteBuffer state, Position at);
}
