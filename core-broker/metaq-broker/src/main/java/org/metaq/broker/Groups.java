package org.metaq.broker;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Subscription;

/**
 * The open consumers of all subscriptions, and which of their message groups wait. Confined to the
 * writer thread.
 */
final class Groups implements Redeliveries.Listener {
    private final BrokerContext context;
    private final Redeliveries redeliveries;
    private final Map<Subscription, Group> groups = new HashMap<>();

    Groups(BrokerContext context, Redeliveries redeliveries) {
        this.context = context;
        this.redeliveries = redeliveries;
    }

    /** The open consumers of a subscription; null if it has none. */
    @Nullable Group get(Subscription subscription) {
        return groups.get(subscription);
    }

    /** The open consumers of a subscription; made on first use. */
    Group open(Subscription subscription) {
        Group group = groups.get(subscription);
        if (group == null) {
            group = new Group(subscription);
            groups.put(subscription, group);
            for (Cursor cursor : subscription.cursors()) {
                for (Long sequence : cursor.dues().keySet()) {
                    hold(group, cursor, sequence);
                }
            }
        }
        return group;
    }

    /** Open consumers of all subscriptions. */
    int consumerCount() {
        return groups.values().stream().mapToInt(group -> group.consumers.size()).sum();
    }

    /** The last consumer is closed. */
    void closed(Subscription subscription) {
        groups.remove(subscription);
    }

    /** The subscription is gone; gives the consumers that it had, or null. */
    @Nullable Group remove(Subscription subscription) {
        redeliveries.removed(subscription);
        return groups.remove(subscription);
    }

    /** A new epoch: finds again which messages wait. */
    void startEpoch() {
        for (Subscription subscription : context.state.subscriptions()) {
            for (Cursor cursor : subscription.cursors()) {
                cursor.dues().keySet().forEach(sequence -> redeliveries.add(cursor, sequence));
            }
        }
    }

    @Override
    public void waits(Cursor cursor, long sequence) {
        redeliveries.add(cursor, sequence);
        Group group = groups.get(cursor.subscription());
        if (group != null) {
            hold(group, cursor, sequence);
        }
    }

    private void hold(Group group, Cursor cursor, long sequence) {
        Cursor.Due due = cursor.dues().get(sequence);
        if (due != null && due.isStrict() && cursor.isWaiting(sequence)) {
            String groupId = context.heads.read(cursor.partition().log(), sequence).groupId();
            if (!groupId.isEmpty()) {
                group.messageGroups().hold(groupId);
            }
        }
    }

    @Override
    public void wakes(Cursor cursor, long sequence, boolean wasStrict) {
        context.ready.add(cursor.partition().topic());
        Group group = groups.get(cursor.subscription());
        if (group != null && wasStrict) {
            String groupId = context.heads.read(cursor.partition().log(), sequence).groupId();
            if (!groupId.isEmpty()) {
                group.messageGroups().free(groupId);
                group.restartScans();
            }
        }
    }
}
