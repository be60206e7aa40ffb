package org.metaq.client.consume;

import java.util.List;

/**
 * What a pull brought. Immutable.
 *
 * @param status what it is
 * @param messages empty unless FOUND; with FOUND only if the first message is longer than what was
 *     asked for, which brokers of MetaQ 1.4 then cut: ask for more
 * @param nextOffset where to pull next
 */
public record PullResult(Status status, List<ReceivedMessage> messages, long nextOffset) {
    /** Kinds of results. */
    public enum Status {
        /** There are messages. */
        FOUND,
        /** There is nothing at the offset yet, or no such partition. */
        NOTHING,
        /** There is nothing at the offset for good: go on from {@link PullResult#nextOffset}. */
        MOVED
    }

    /** Copies the list. */
    public PullResult {
        messages = List.copyOf(messages);
    }
}
