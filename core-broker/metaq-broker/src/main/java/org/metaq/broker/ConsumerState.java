package org.metaq.broker;

import org.metaq.broker.state.Subscription;

/** A consumer of a connection: which subscription it takes from, and its pending acquire. */
final class ConsumerState {
    final BrokerConnection connection;
    final int id;
    final Group group;

    /** True while an acquire waits for messages. */
    boolean isWaiting;

    int opaque;
    int maxMessages;
    int maxBytes;
    long deadlineNs;

    /**
     * Earliest timer that {@link Deliveries} has for it; it looks at {@link #deadlineNs} itself.
     */
    long timerNs = Long.MAX_VALUE;

    ConsumerState(BrokerConnection connection, int id, Group group) {
        this.connection = connection;
        this.id = id;
        this.group = group;
    }

    Subscription subscription() {
        return group.subscription;
    }
}
