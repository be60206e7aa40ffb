package org.metaq.store.journal;

import java.nio.ByteBuffer;

/**
 * Where a restart begins: what the newest checkpoint holds.
 *
 * @param at last position that the state holds; {@link Position#START} for a new store
 * @param state what {@link StateMachine#cut} serialized; empty for a new store
 */
public record RestorePoint(Position at, ByteBuffer state) {
    /** A store without a checkpoint. */
    public static final RestorePoint NEW =
            new RestorePoint(Position.START, ByteBuffer.allocate(0).asReadOnlyBuffer());
}
