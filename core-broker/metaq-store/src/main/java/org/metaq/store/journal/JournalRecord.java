package org.metaq.store.journal;

import java.nio.ByteBuffer;

/**
 * One change of the broker's state.
 *
 * @param type what it is; the state machine's business
 * @param body its bytes, from position to limit; the journal leaves position and limit alone
 * @param need what must have happened before it may be answered
 */
public record JournalRecord(short type, ByteBuffer body, Need need) {
    /**
     * When a record may be applied and answered. A batch is forced if any of its records needs it.
     */
    public enum Need {
        /** Nobody waits for its durability: written is enough. */
        LAZY,
        /** As the policy for sends says: {@code unflushThreshold}, {@code unflushInterval}. */
        SEND_POLICY,
        /** As the policy for transactions says: {@code flushTxLogAtCommit}. */
        TRANSACTION_POLICY,
        /** Forced, whatever the policy. */
        SYNC
    }
}
