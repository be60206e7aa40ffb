package org.metaq.store.journal;

import java.nio.ByteBuffer;

/**
 * Where a restart begins: what the newest checkpoint holds.
 *
 * @param at last position that the state holds; {@link Position#START} for a new store
 * @param epoch number of the epoch at that position; 0 for a new store
 * @param state what {@link StateMachine#cut} serialized; empty for a new store
 */
public record RestorePoint(Position at, long epoch, ByteBuffer state) {
    /** A store without a checkpoint. */
    public static final RestorePoint NEW =
            new RestorePoint(Position.START, 0, ByteBuffer.allocate(0).asReadOnlyBuffer());
}
