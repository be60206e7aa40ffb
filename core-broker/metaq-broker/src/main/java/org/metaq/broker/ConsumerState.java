package org.metaq.broker;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Cursor;
import org.metaq.broker.state.Scan;
import org.metaq.broker.state.Subscription;
import org.metaq.selector.Selector;

/** A consumer of a connection: which subscription it takes from, and its pending acquire. */
final class ConsumerState {
    final BrokerConnection connection;
    final int id;
    final Group group;

    /** Which of a queue's messages it takes; null: all. That of a topic is the subscription's. */
    final @Nullable Selector selector;

    /** True while an acquire waits for messages. */
    boolean isWaiting;

    int opaque;
    int maxMessages;
    int maxBytes;
    long deadlineNs;

    /** Wakes {@link Deliveries} at the deadline or before; it looks at the deadline itself. */
    Deliveries.@Nullable Timer timer;

    private final Map<Cursor, Scan> scans = new HashMap<>();

    ConsumerState(BrokerConnection connection, int id, Group group, @Nullable Selector selector) {
        this.connection = connection;
        this.id = id;
        this.group = group;
        this.selector = selector;
    }

    Subscription subscription() {
        return group.subscription;
    }

    /** True if it takes whatever comes next. */
    boolean takesAll() {
        return selector == null && !group.subscription.hasMessageGroups();
    }

    /** How far it has looked through a partition. */
    Scan scan(Cursor cursor) {
        Scan scan = scans.get(cursor);
        if (scan == null) {
            scan = new Scan();
            scans.put(cursor, scan);
            cursor.begin(scan);
        }
        return scan;
    }

    /** Has it look at everything again. */
    void restartScans() {
        scans.values().forEach(Scan::restart);
    }

    /** It is closed. */
    void endScans() {
        scans.forEach(Cursor::end);
        scans.clear();
    }
}
