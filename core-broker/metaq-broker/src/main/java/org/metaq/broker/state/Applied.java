package org.metaq.broker.state;

import org.metaq.protocol.ErrorCode;
import org.metaq.store.journal.Result;

/** What applying a record gave. */
public sealed interface Applied extends Result {
    /** Done, nothing to tell. */
    record Done() implements Applied {
        /** The one instance that is needed. */
        public static final Done DONE = new Done();
    }

    /**
     * A message is stored, or held for its branch.
     *
     * @param offset -1 in a branch, and for a repeated send whose answer is no longer known
     */
    record Stored(long messageId, int partition, long offset) implements Applied {}

    /** A subscription exists. */
    record Subscribed(Subscription subscription) implements Applied {}

    /**
     * The head of a partition log is gone.
     *
     * @param segmentCount segments that were dropped, perhaps fewer than asked for
     * @param length bytes of messages in them
     */
    record Trimmed(int segmentCount, long length) implements Applied {}

    /** Nothing was changed, and why. */
    record Refused(ErrorCode code, String text) implements Applied {}
}
