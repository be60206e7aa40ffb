package org.metaq.broker.state;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Settlement;

/**
 * Durable subscriptions, those of queues among them. Part of the state: changed by {@link
 * BrokerState#apply} only.
 */
final class SubscriptionTable {
    private final BrokerState.Listener listener;
    private final Map<Long, Subscription> byId = new TreeMap<>();
    private final Map<String, Subscription> durables = new HashMap<>();
    private long nextId = 1;

    SubscriptionTable(BrokerState.Listener listener) {
        this.listener = listener;
    }

    @Nullable Subscription get(long id) {
        return byId.get(id);
    }

    /** By {@link Subscription.Terms#key}; not those of queues. */
    @Nullable Subscription durable(String key) {
        return durables.get(key);
    }

    Collection<Subscription> all() {
        return byId.values();
    }

    void startEpoch() {
        byId.values().forEach(s -> s.cursors().forEach(Cursor::startEpoch));
    }

    /** The one subscription of a new queue. */
    void addQueue(Topic topic) {
        add(
                new Subscription(
                        nextId++,
                        new Subscription.Terms("", "", topic.text(), true, true, false, ""),
                        topic));
    }

    /** Adds one. */
    void add(Subscription subscription) {
        byId.put(subscription.id(), subscription);
        subscription.topic().add(subscription);
        if (!subscription.terms().name().isEmpty()) {
            durables.put(subscription.terms().key(), subscription);
        }
    }

    Applied subscribe(Subscription.Terms terms, Topic topic) {
        Subscription existing = durables.get(terms.key());
        if (existing != null) {
            if (existing.terms().equals(terms)) {
                return new Applied.Subscribed(existing);
            }
            remove(existing);
        }
        Subscription subscription = new Subscription(nextId++, terms, topic);
        add(subscription);
        return new Applied.Subscribed(subscription);
    }

    Applied unsubscribe(String clientId, String name) {
        Subscription subscription = durables.get(Subscription.Terms.key(clientId, name));
        if (subscription == null) {
            return new Applied.Refused(
                    ErrorCode.NO_SUCH_SUBSCRIPTION,
                    "no durable subscription '" + name + "' of client id '" + clientId + "'");
        }
        remove(subscription);
        return Applied.Done.DONE;
    }

    private void remove(Subscription subscription) {
        byId.remove(subscription.id());
        durables.remove(subscription.terms().key());
        subscription.topic().remove(subscription);
        listener.removed(subscription);
    }

    /** Moves the subscription of this name, or of a queue; no-op if it is gone. */
    Applied reset(String clientId, String name, Topic topic, long[] starts) {
        Subscription subscription =
                name.isEmpty()
                        ? topic.subscriptions().stream().findFirst().orElse(null)
                        : durables.get(Subscription.Terms.key(clientId, name));
        if (subscription == null || subscription.topic() != topic) {
            return new Applied.Refused(
                    ErrorCode.NO_SUCH_SUBSCRIPTION,
                    "no durable subscription '" + name + "' of " + topic);
        }
        subscription.reset(starts);
        listener.available(topic);
        return Applied.Done.DONE;
    }

    // ---- settlements

    Applied delivered(long subscriptionId, int partition, long end) {
        return mark(subscriptionId, partition, List.of(new SequenceRange(0, end - 1)));
    }

    Applied mark(long subscriptionId, int partition, List<SequenceRange> ranges) {
        Subscription subscription = byId.get(subscriptionId);
        if (subscription != null) {
            Cursor cursor = subscription.cursors().get(partition);
            ranges.forEach(range -> cursor.mark(range.first(), range.last()));
            listener.available(subscription.topic());
        }
        return Applied.Done.DONE;
    }

    /** Counts deliveries and gives back, but for those that wait. */
    void release(Settlement settlement, List<Redelivery.Delay> delays) {
        for (Redelivery.Delay delay : delays) {
            Subscription subscription = byId.get(delay.subscriptionId());
            if (subscription != null) {
                Cursor cursor = subscription.cursors().get(delay.partition());
                cursor.delay(delay.sequence(), new Cursor.Due(delay.dueMs(), delay.isStrict()));
                listener.waits(cursor, delay.sequence());
            }
        }
        forEach(settlement, Cursor::releaseDelivered);
    }

    /** What a settlement does to each of its ranges. */
    interface CursorAction {
        void on(Cursor cursor, SequenceRange range);
    }

    /** Entries of subscriptions that are gone are left out: there is nothing left to settle. */
    void forEach(Settlement settlement, CursorAction action) {
        for (Settlement.Entry entry : settlement.entries()) {
            Subscription subscription = byId.get(entry.subscriptionId());
            if (subscription == null) {
                continue;
            }
            Cursor cursor = subscription.cursors().get(entry.partition());
            entry.ranges().forEach(range -> action.on(cursor, range));
            listener.available(subscription.topic());
        }
    }

    // ---- checkpoints

    long nextId() {
        return nextId;
    }

    void restoreNextId(long id) {
        nextId = id;
    }

    void clear() {
        byId.clear();
        durables.clear();
    }
}
