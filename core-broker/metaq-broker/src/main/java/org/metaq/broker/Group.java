package org.metaq.broker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.metaq.broker.state.Subscription;

/** The open consumers of a subscription; those that wait for messages, longest first. */
final class Group {
    final Subscription subscription;
    final Set<ConsumerState> consumers = new LinkedHashSet<>();
    final Deque<ConsumerState> waiting = new ArrayDeque<>();

    /** Partition to look at first next time, so that none starves. */
    int nextPartition;

    Group(Subscription subscription) {
        this.subscription = subscription;
    }
}
