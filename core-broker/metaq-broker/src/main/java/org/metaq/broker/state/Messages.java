package org.metaq.broker.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;

/**
 * Puts messages into partition logs: sent ones, delayed ones whose time has come, dead letters.
 * Part of the state: changed by {@link BrokerState#apply} only.
 */
final class Messages {
    private final Uploads uploads;
    private final DelayedMessages delays;
    private final BrokerState.Listener listener;
    private final List<Partition> touched = new ArrayList<>();

    Messages(Views views, Uploads uploads, BrokerState.Listener listener) {
        this.uploads = uploads;
        this.delays = new DelayedMessages(views, listener);
        this.listener = listener;
    }

    /** Opens the delay log of a partition that has none. */
    DelayLog openDelayLog(Partition partition) {
        return delays.open(partition);
    }

    /** At the end of a batch: what came can be read. */
    void publish() {
        touched.forEach(Partition::publish);
        touched.forEach(partition -> listener.available(partition.topic()));
        touched.clear();
        delays.publish();
    }

    /** Stores a message where its consumers find it, or where it waits for its delivery time. */
    Applied.Stored store(Partition partition, Records.Send send, long timeMs) {
        if (send.deliveryTimeMs() <= timeMs) {
            return append(partition, send, timeMs);
        }
        delays.add(partition, send, send.uploadId() == 0 ? null : uploads.get(send.uploadId()));
        return new Applied.Stored(send.messageId(), partition.number(), -1);
    }

    private Applied.Stored append(Partition partition, Records.Send send, long timeMs) {
        MessageLog log = partition.log();
        long offset = log.endOffset();
        long expirationMs = send.expirationMs();
        if (send.uploadId() == 0) {
            log.append(send.message(), timeMs, expirationMs, send.priority(), send.flags());
        } else {
            Upload body = Objects.requireNonNull(uploads.get(send.uploadId()));
            log.append(send.message(), body, timeMs, expirationMs, send.priority(), send.flags());
        }
        appended(partition, expirationMs, send.priority(), send.flags());
        return new Applied.Stored(send.messageId(), partition.number(), offset);
    }

    /** A message was appended as the last one of the partition. */
    private void appended(Partition partition, long expirationMs, int priority, int flags) {
        int kind = Kinds.kind(priority, flags, expirationMs != 0);
        partition.kinds().append(partition.log().endSequence() - 1, kind);
        partition.appended(expirationMs);
        if (partition.touch()) {
            touched.add(partition);
        }
    }

    /**
     * Moves delayed messages to their partition.
     *
     * @return whether segments of the delay log were dropped
     */
    boolean due(Partition partition, long[] sequences, long timeMs) {
        return delays.due(
                partition,
                sequences,
                timeMs,
                (to, copy, priority, flags, arrival) -> {
                    long sequence = to.log().endSequence();
                    append(to, copy, copy.expirationMs(), priority, flags, timeMs);
                    for (Subscription subscription : to.topic().subscriptions()) {
                        subscription.cursors().get(to.number()).delayedCame(sequence, arrival);
                    }
                });
    }

    /**
     * Has delayed messages lie closer together.
     *
     * @return whether segments of the delay log were dropped
     */
    boolean compact(Partition partition, long[] sequences) {
        return delays.compact(partition, sequences);
    }

    /** Copies a dead letter to its queue, if that and the message are there. */
    void copyDeadLetter(
            Redelivery.DeadLetter dead,
            @Nullable Topic source,
            @Nullable Topic target,
            long timeMs) {
        if (source == null || target == null || !target.hasPartition(dead.targetPartition())) {
            return;
        }
        MessageLog log = source.partitions().get(dead.partition()).log();
        if (dead.sequence() < log.startSequence()) {
            return;
        }
        MessageMeta meta = log.meta(dead.sequence());
        MessageBytes bytes = log.bytes(dead.sequence());
        try {
            MessageCopy copy =
                    dead.attribute().length == 0
                            ? MessageCopy.of(bytes)
                            : MessageCopy.withEnvelope(bytes, dead.attribute());
            Partition to = target.partitions().get(dead.targetPartition());
            append(to, copy, 0, meta.priority(), meta.flags(), timeMs);
        } finally {
            bytes.release();
        }
    }

    /** Appends a message that lies in another log, or as a variant of it. */
    private void append(
            Partition partition,
            MessageCopy copy,
            long expirationMs,
            int priority,
            int flags,
            long timeMs) {
        partition.log().append(copy.header(), copy, timeMs, expirationMs, priority, flags);
        appended(partition, expirationMs, priority, flags);
    }
}
