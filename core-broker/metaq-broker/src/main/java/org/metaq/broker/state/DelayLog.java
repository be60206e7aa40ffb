package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;

/**
 * Messages of one partition that wait for their delivery time: a log in which they lie in the order
 * of their arrival, and which of them have moved on. Part of the state: changed by {@link
 * BrokerState#apply} only; others read it on the writer thread.
 *
 * <p>In the index of this log the field <i>timestamp</i> holds the delivery time, and
 * <i>expiration</i> the arrival number: the sequence that the message had when it came, which it
 * keeps when it is appended again. The real expiration stands in the message's envelope.
 *
 * <p>Memory: a bit for each sequence from the oldest waiting message on.
 */
public final class DelayLog implements WaitingMessages {
    private final MessageLog log;

    /** Of the sequences from {@code base} on: which have moved. */
    private BitSet moved = new BitSet();

    private long base;
    private long firstPending;
    private long publishedEnd;
    private long pendingCount;
    private long pendingBytes;
    private boolean isTouched;

    DelayLog(MessageLog log) {
        this.log = log;
        this.publishedEnd = log.endSequence();
        this.firstPending = publishedEnd;
        this.base = publishedEnd;
    }

    /** Where the messages lie. */
    public MessageLog log() {
        return log;
    }

    /** Messages that wait. */
    public long pendingCount() {
        return pendingCount;
    }

    /** Bytes of these. */
    public long pendingBytes() {
        return pendingBytes;
    }

    /** {@inheritDoc} It waits itself, or it is the sequence that the next message will get. */
    @Override
    public long firstPending() {
        return firstPending;
    }

    /** {@inheritDoc} Messages below it can be read. */
    @Override
    public long endSequence() {
        return publishedEnd;
    }

    @Override
    public boolean isPending(long sequence) {
        return sequence >= firstPending && sequence < publishedEnd && !isMoved(sequence);
    }

    /** {@inheritDoc} Reads the index alone, a page of 256 entries at a time. */
    @Override
    public void forEachPending(long first, long end, Visitor visitor) {
        long last = Math.min(end, publishedEnd) - 1;
        for (long s = nextPending(first); s <= last; s = nextPending(s + 1)) {
            MessageMeta meta = log.meta(s);
            visitor.visit(s, meta.timestampMs(), meta.expirationMs());
        }
    }

    /** Lowest sequence from this one on that waits, or has not come yet. */
    public long nextPending(long from) {
        long start = Math.max(from, firstPending);
        return base + moved.nextClearBit((int) (start - base));
    }

    private boolean isMoved(long sequence) {
        return moved.get((int) (sequence - base));
    }

    // ---- changed by records

    /** Appends a message, readable after {@link #publish}. */
    void append(
            ByteBuffer message,
            MessageLog.@Nullable BodyPieces body,
            long deliveryTimeMs,
            int priority,
            int flags) {
        long arrival = log.endSequence();
        long before = log.endOffset();
        if (body == null) {
            log.append(message, deliveryTimeMs, arrival, priority, flags);
        } else {
            log.append(message, body, deliveryTimeMs, arrival, priority, flags);
        }
        added(log.endOffset() - before);
    }

    private void added(long lengthBytes) {
        pendingCount++;
        pendingBytes += lengthBytes;
    }

    /** Appends a message that waits again, so that the head of the log can go. */
    void appendAgain(long sequence) {
        MessageMeta meta = log.meta(sequence);
        MessageBytes bytes = log.bytes(sequence);
        try {
            MessageCopy copy = MessageCopy.of(bytes);
            log.append(
                    copy.header(),
                    copy,
                    meta.timestampMs(),
                    meta.expirationMs(),
                    meta.priority(),
                    meta.flags());
        } finally {
            bytes.release();
        }
        added(meta.length());
        moved(sequence, meta);
    }

    /** A message that waited is somewhere else now. */
    void moved(long sequence, MessageMeta meta) {
        pendingCount--;
        pendingBytes -= meta.length();
        moved.set((int) (sequence - base));
        if (sequence == firstPending) {
            long next = base + moved.nextClearBit((int) (sequence - base));
            firstPending = Math.min(next, log.endSequence());
            forgetBelow(firstPending);
        }
    }

    /** Bits are dropped when half of them are of no use, so that this costs little on average. */
    private void forgetBelow(long sequence) {
        int useless = (int) (sequence - base);
        if (useless > Long.SIZE && useless > moved.length() / 2) {
            moved = moved.get(useless, Math.max(useless, moved.length()));
            base = sequence;
        }
    }

    /** True the first time since {@link #publish}. */
    boolean touch() {
        boolean isFirst = !isTouched;
        isTouched = true;
        return isFirst;
    }

    void publish() {
        isTouched = false;
        log.publish();
        publishedEnd = log.endSequence();
    }

    // ---- for the snapshot

    long base() {
        return base;
    }

    byte[] movedBits() {
        return moved.toByteArray();
    }

    void restore(
            long newBase,
            byte[] movedBits,
            long newFirstPending,
            long newPendingCount,
            long newPendingBytes) {
        base = newBase;
        moved = BitSet.valueOf(movedBits);
        firstPending = newFirstPending;
        pendingCount = newPendingCount;
        pendingBytes = newPendingBytes;
    }
}
