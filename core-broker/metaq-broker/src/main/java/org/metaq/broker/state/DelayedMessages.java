package org.metaq.broker.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.MessageMeta;

/**
 * What records do to the delay logs. Part of the state: changed by {@link BrokerState#apply} only.
 */
final class DelayedMessages {
    /** Where a message goes whose time has come. */
    interface Target {
        /**
         * Appends it to its partition.
         *
         * @param arrival its number among the delayed messages of the partition
         */
        void append(
                Partition partition, MessageCopy message, int priority, int flags, long arrival);
    }

    private final Views views;
    private final BrokerState.Listener listener;
    private final List<Partition> touched = new ArrayList<>();

    DelayedMessages(Views views, BrokerState.Listener listener) {
        this.views = views;
        this.listener = listener;
    }

    /** Keeps a message until its time. */
    void add(Partition partition, Records.Send send, MessageLog.@Nullable BodyPieces body) {
        DelayLog delayed = partition.delayed();
        if (delayed == null) {
            delayed = open(partition);
        }
        delayed.append(send.message(), body, send.deliveryTimeMs(), send.priority(), send.flags());
        touch(partition, delayed);
    }

    /** Opens the delay log of a partition that has none. */
    DelayLog open(Partition partition) {
        DelayLog opened =
                new DelayLog(views.openDelayLog(partition.topic().name(), partition.number()));
        partition.delayed(opened);
        return opened;
    }

    /**
     * Moves messages to their partition, in the order that is given; those that are not due, or
     * moved before, stay as they are.
     *
     * @return whether segments of the delay log were dropped
     */
    boolean due(Partition partition, long[] sequences, long timeMs, Target target) {
        DelayLog delayed = partition.delayed();
        if (delayed == null) {
            return false;
        }
        for (long sequence : sequences) {
            if (delayed.isPending(sequence)) {
                MessageMeta meta = delayed.log().meta(sequence);
                if (meta.timestampMs() <= timeMs) {
                    move(partition, delayed, sequence, meta, target);
                }
            }
        }
        return trim(partition, delayed);
    }

    private static void move(
            Partition partition, DelayLog from, long sequence, MessageMeta meta, Target target) {
        MessageBytes bytes = from.log().bytes(sequence);
        try {
            target.append(
                    partition,
                    MessageCopy.of(bytes),
                    meta.priority(),
                    meta.flags(),
                    meta.expirationMs());
        } finally {
            bytes.release();
        }
        from.moved(sequence, meta);
    }

    /**
     * Appends messages again that wait, so that the head of the log can go.
     *
     * @return whether segments of the delay log were dropped
     */
    boolean compact(Partition partition, long[] sequences) {
        DelayLog delayed = partition.delayed();
        if (delayed == null) {
            return false;
        }
        for (long sequence : sequences) {
            if (delayed.isPending(sequence)) {
                delayed.appendAgain(sequence);
            }
        }
        touch(partition, delayed);
        return trim(partition, delayed);
    }

    private boolean trim(Partition partition, DelayLog delayed) {
        listener.delayed(partition);
        return views.trimLog(delayed.log(), delayed.firstPending()) > 0;
    }

    private void touch(Partition partition, DelayLog delayed) {
        if (delayed.touch()) {
            touched.add(partition);
        }
    }

    /** At the end of a batch: what came can be read. */
    void publish() {
        for (Partition partition : touched) {
            DelayLog delayed = partition.delayed();
            if (delayed != null) {
                delayed.publish();
                listener.delayed(partition);
            }
        }
        touched.clear();
    }
}
