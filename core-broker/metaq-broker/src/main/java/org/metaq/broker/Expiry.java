package org.metaq.broker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.store.log.MessageMeta;

/**
 * Looks now and then for messages that expired while nobody asked for them: they are done with, or
 * go to the expiry queue, and their room can be given back. Who asks for messages never gets an
 * expired one, whether this has looked or not. Confined to the writer thread.
 */
final class Expiry {
    private static final long INTERVAL_NS = 5_000_000_000L;

    /** Index entries looked at in one turn: others wait meanwhile. */
    private static final int SCAN_MAX = 10_000;

    private final BrokerContext context;
    private final Settlements settlements;
    private final Deque<Partition> toScan = new ArrayDeque<>();
    private long nextNs;

    // The partition that is being scanned.
    private @Nullable Partition current;
    private long position;
    private long earliestMs;

    Expiry(BrokerContext context, Settlements settlements) {
        this.context = context;
        this.settlements = settlements;
        // A restarted broker has better things to do at first.
        this.nextNs = context.clock.monotonicNs() + INTERVAL_NS;
    }

    long nextDeadlineNs() {
        return isScanning() ? context.clock.monotonicNs() : nextNs;
    }

    private boolean isScanning() {
        return current != null || !toScan.isEmpty();
    }

    int doWork() {
        long nowNs = context.clock.monotonicNs();
        if (!isScanning()) {
            if (nowNs < nextNs) {
                return 0;
            }
            nextNs = nowNs + INTERVAL_NS;
            addAll(context.state.topics());
            addAll(context.temporaryTopics.values());
        }
        int left = SCAN_MAX;
        while (left > 0 && isScanning()) {
            left -= scan(left);
        }
        return SCAN_MAX - left;
    }

    private void addAll(Collection<Topic> topics) {
        long nowMs = context.clock.wallMs();
        for (Topic topic : topics) {
            for (Partition partition : topic.partitions()) {
                if (partition.earliestExpirationMs() <= nowMs) {
                    toScan.add(partition);
                }
            }
        }
    }

    private int scan(int max) {
        Partition partition = current;
        if (partition == null) {
            partition = toScan.remove();
            current = partition;
            position = partition.log().startSequence();
            earliestMs = Long.MAX_VALUE;
            // What is appended from now on is noted anew.
            partition.earliestExpirationMs(Long.MAX_VALUE);
        }
        if (partition.topic().isDeleted()) {
            current = null;
            return 1;
        }
        long end = partition.log().endSequence();
        position = Math.max(position, lowestCursor(partition));
        List<Settlements.Expired> expired = new ArrayList<>();
        int count = 0;
        position = partition.kinds().nextExpiring(position, end);
        while (position < end && count < max) {
            look(partition, expired);
            count++;
            position = partition.kinds().nextExpiring(position + 1, end);
        }
        if (!expired.isEmpty()) {
            settlements.expired(expired);
        }
        if (position >= end) {
            partition.earliestExpirationMs(Math.min(earliestMs, partition.earliestExpirationMs()));
            current = null;
        }
        return count + 1;
    }

    private static long lowestCursor(Partition partition) {
        long lowest = partition.log().endSequence();
        for (Subscription subscription : partition.topic().subscriptions()) {
            lowest = Math.min(lowest, subscription.cursors().get(partition.number()).cursor());
        }
        return lowest;
    }

    private void look(Partition partition, List<Settlements.Expired> expired) {
        MessageMeta meta = partition.log().meta(position);
        if (meta.expirationMs() == 0) {
            return;
        }
        boolean isOver = meta.expirationMs() <= context.clock.wallMs();
        for (Subscription subscription : partition.topic().subscriptions()) {
            Cursor cursor = subscription.cursors().get(partition.number());
            if (!cursor.isUnsettled(position)) {
                continue;
            }
            if (isOver && !cursor.isHeld(position)) {
                cursor.take(position);
                expired.add(new Settlements.Expired(cursor, position));
            } else {
                earliestMs = Math.min(earliestMs, meta.expirationMs());
            }
        }
    }
}
