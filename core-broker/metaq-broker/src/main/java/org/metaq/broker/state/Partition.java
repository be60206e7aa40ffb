package org.metaq.broker.state;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.BranchStatus.Share;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;

/** One partition of a topic: its log, and whether the batch under way appended to it. */
public final class Partition {
    private final Topic topic;
    private final int number;
    private final MessageLog log;
    private final Kinds kinds = new Kinds();
    private @Nullable DelayLog delayed;
    private boolean isTouched;
    private boolean isClosed;
    private long earliestExpirationMs;

    Partition(Topic topic, int number, MessageLog log) {
        this.topic = topic;
        this.number = number;
        this.log = log;
    }

    /** The topic it belongs to. */
    public Topic topic() {
        return topic;
    }

    /** Its number, &gt;= 0. */
    public int number() {
        return number;
    }

    /** Its messages. */
    public MessageLog log() {
        return log;
    }

    /** What the log still has of some messages; null: nothing. */
    public @Nullable Share share(SequenceRange range) {
        long first = Math.max(range.first(), log.startSequence());
        long last = Math.min(range.last(), log.endSequence() - 1);
        if (first > last) {
            return null;
        }
        MessageMeta end = log.meta(last);
        long bytes = end.offset() + end.length() - log.meta(first).offset();
        return new Share(topic.text(), last - first + 1, bytes);
    }

    /** What is known of its messages without asking the log. */
    public Kinds kinds() {
        return kinds;
    }

    /** Messages that wait for their delivery time; null if there never was one. */
    public @Nullable DelayLog delayed() {
        return delayed;
    }

    void delayed(DelayLog opened) {
        delayed = opened;
    }

    /** True while an operator keeps it closed to sends and reads. */
    public boolean isClosed() {
        return isClosed;
    }

    void isClosed(boolean closed) {
        isClosed = closed;
    }

    /**
     * Up to which sequence, exclusive, the head of the log may go: not beyond the cursor of a
     * subscription, or where these may lose messages, not beyond what a prepared branch holds.
     *
     * @param dropsUnconsumed whether subscriptions may lose messages
     * @param includesVolatile whether subscriptions that no record knows count as well
     */
    public long trimLimit(boolean dropsUnconsumed, boolean includesVolatile) {
        long limit = Long.MAX_VALUE;
        for (Subscription subscription : topic.subscriptions()) {
            if (subscription.isDurable() || includesVolatile) {
                Cursor cursor = subscription.cursors().get(number);
                limit = Math.min(limit, dropsUnconsumed ? cursor.lockedMin() : cursor.cursor());
            }
        }
        return limit;
    }

    /**
     * No message that a subscription needs expires before this, ms since 1970; 0: not known. For
     * the broker, no part of the state.
     */
    public long earliestExpirationMs() {
        return earliestExpirationMs;
    }

    /** Sets {@link #earliestExpirationMs}. */
    public void earliestExpirationMs(long newEarliestMs) {
        earliestExpirationMs = newEarliestMs;
    }

    /** A message was appended that expires then; 0: never. */
    public void appended(long expirationMs) {
        if (expirationMs != 0) {
            earliestExpirationMs = Math.min(earliestExpirationMs, expirationMs);
        }
    }

    /** True the first time since {@link #publish}. */
    boolean touch() {
        boolean first = !isTouched;
        isTouched = true;
        return first;
    }

    void publish() {
        isTouched = false;
        log.publish();
    }

    /** Adds the files of which a checkpoint must know. */
    void addLogsTo(List<MessageLog> logs) {
        logs.add(log);
        if (delayed != null) {
            logs.add(delayed.log());
        }
    }

    void close() {
        log.close();
        if (delayed != null) {
            delayed.log().close();
        }
    }
}
