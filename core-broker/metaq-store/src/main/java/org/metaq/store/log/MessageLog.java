package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The messages of one partition, numbered by sequence from 0 and by byte offset. The writer thread
 * appends; any thread may read below the published end.
 */
public interface MessageLog extends AutoCloseable {
    /**
     * Appends a message; it is readable after {@link #publish}. Writer thread.
     *
     * @param message all of it, header included; copied or written before this returns
     * @return its sequence
     */
    long append(ByteBuffer message, long timestampMs, long expirationMs, int priority, int flags);

    /** A message's body where it is too large to be held in memory. */
    interface BodyPieces {
        /** Hands over all of it, in order; a piece is valid during its call only. */
        void forEach(Consumer<ByteBuffer> consumer);
    }

    /**
     * As {@link #append}, for a message whose body comes in pieces; memory is bounded by a piece.
     *
     * @param header MetaQ's, 20 bytes; the pieces must give exactly as many bytes as it says
     */
    long append(
            ByteBuffer header,
            BodyPieces body,
            long timestampMs,
            long expirationMs,
            int priority,
            int flags);

    /** Makes what was appended visible to readers, all at once. Writer thread. Forces nothing. */
    void publish();

    /** Lowest sequence that is still there. */
    long startSequence();

    /**
     * Sequence that the next message will get; messages below it that are published can be read.
     */
    long endSequence();

    /** Sequence after the last published message. Any thread. */
    long publishedEndSequence();

    /** Lowest byte offset that is still there. */
    long startOffset();

    /** Byte offset that the next message will get. */
    long endOffset();

    /**
     * Index entry of a published message. Writer thread.
     *
     * @throws IllegalArgumentException if it is not there
     */
    MessageMeta meta(long sequence);

    /**
     * Sequence behind the unbroken run of published messages that have the priority and the flags
     * of the one at {@code first}; not beyond {@code end}, and perhaps less than the whole run.
     * Writer thread.
     *
     * @throws IllegalArgumentException if the first is not there
     */
    default long endOfAlike(long first, long end) {
        MessageMeta meta = meta(first);
        long next = first + 1;
        while (next < end && meta.isLike(meta(next))) {
            next++;
        }
        return next;
    }

    /**
     * Sequence of the first message that was appended at a time or later; the end if there is none.
     * Times of messages do not fall. Writer thread, everything must be published.
     *
     * @param timestampMs ms since 1970
     */
    default long sequenceOfTime(long timestampMs) {
        return firstWhere(meta -> meta.timestampMs() >= timestampMs);
    }

    /**
     * Sequence of the message that begins at a byte offset, or of the first behind it; the end if
     * there is none. Writer thread, everything must be published.
     */
    default long sequenceOfOffset(long offset) {
        return firstWhere(meta -> meta.offset() >= offset);
    }

    private long firstWhere(Predicate<MessageMeta> isThereOrBehind) {
        long low = startSequence();
        long high = endSequence();
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (isThereOrBehind.test(meta(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * Where the bytes of a published message are; may be used on any thread, also when the message
     * goes away meanwhile.
     *
     * @throws IllegalArgumentException if it is not there
     */
    MessageBytes bytes(long sequence);

    /**
     * Bytes of consecutive published messages in one piece: from the first to the last, or as many
     * of them as lie together, at least the first. {@link MessageBytes#length} tells how many came.
     * Any thread.
     *
     * @throws IllegalArgumentException if one of them is not there, or last &lt; first
     */
    default MessageBytes bytes(long firstSequence, long lastSequence) {
        if (lastSequence < firstSequence) {
            throw new IllegalArgumentException(
                    "not a range of sequences: " + firstSequence + ".." + lastSequence);
        }
        return bytes(firstSequence);
    }

    /**
     * Tells that no one needs sequences below this any more. What is freed, and when, is its own.
     */
    void releaseBelow(long sequence);

    /** Closes its files. */
    @Override
    void close();
}
