package org.metaq.store.log;

/**
 * One entry of the index: what is known of a message without reading it.
 *
 * @param offset byte position in the partition log (MetaQ's offset)
 * @param length bytes, header included
 * @param timestampMs when the broker stored it, ms since 1970 (from the batch)
 * @param expirationMs when it expires, ms since 1970; 0: never
 * @param priority 0..9
 * @param flags {@link #FLAG_PERSISTENT} and others
 */
public record MessageMeta(
        long offset, int length, long timestampMs, long expirationMs, int priority, int flags) {
    /** The message was sent as persistent. */
    public static final int FLAG_PERSISTENT = 1;

    /** The message belongs to a message group. */
    public static final int FLAG_GROUP = 2;

    /** Whether another message has the same priority and flags. */
    boolean isLike(MessageMeta other) {
        return priority == other.priority && flags == other.flags;
    }
}
