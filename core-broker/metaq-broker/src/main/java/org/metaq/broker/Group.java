package org.metaq.broker;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Subscription;

/** The open consumers of a subscription; those that wait for messages, longest first. */
final class Group {
    final Subscription subscription;
    final Set<ConsumerState> consumers = new LinkedHashSet<>();
    final Set<ConsumerState> waiting = new LinkedHashSet<>();
    private @Nullable MessageGroups messageGroups;

    /** Partition to look at first next time, so that none starves. */
    int nextPartition;

    Group(Subscription subscription) {
        this.subscription = subscription;
    }

    /** The message groups of the subscription; made on first use, most subscriptions have none. */
    MessageGroups messageGroups() {
        if (messageGroups == null) {
            messageGroups = new MessageGroups();
        }
        return messageGroups;
    }

    /** A consumer is closed: its message groups are free. */
    void closed(ConsumerState consumer) {
        consumers.remove(consumer);
        if (messageGroups != null) {
            messageGroups.closed(consumer);
            restartScans();
        }
    }

    /** Message groups have changed hands: what was not for a consumer may be now. */
    void restartScans() {
        consumers.forEach(ConsumerState::restartScans);
    }
}
