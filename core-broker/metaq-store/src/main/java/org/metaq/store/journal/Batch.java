package org.metaq.store.journal;

import java.util.List;

/**
 * Records that are appended, become durable and are applied together.
 *
 * @param epoch of the leader that made it; the state machine skips a batch of another than the
 *     current
 * @param timeMs wall clock of the leader, never less than that of the batch before; the only time
 *     that {@code apply} knows
 * @param records in order, at least one
 */
public record Batch(long epoch, long timeMs, List<JournalRecord> records) {}
