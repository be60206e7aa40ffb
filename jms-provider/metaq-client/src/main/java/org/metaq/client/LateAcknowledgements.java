package org.metaq.client;

import java.util.function.Consumer;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.CommandCodec.Frame;
import org.metaq.protocol.Delivery;

/**
 * Acknowledgements that go out with what is sent next, many in one command. Thread-safe: its own
 * monitor, under which nothing but the sink is called.
 */
final class LateAcknowledgements {
    /** So many go out as one command at the latest. */
    private static final int COUNT_MAX = 256;

    private final Consumer<Frame> sink;
    private final SettlementBuilder collected = new SettlementBuilder();

    /** Written under the monitor; who sends reads it without, and sees its own acknowledgements. */
    private volatile boolean isEmpty = true;

    /**
     * Empty.
     *
     * @param sink puts a frame into the order in which frames go out; must not block
     */
    LateAcknowledgements(Consumer<Frame> sink) {
        this.sink = sink;
    }

    synchronized void add(long subscriptionId, Delivery delivery) {
        collected.add(subscriptionId, delivery);
        isEmpty = false;
        if (collected.count() >= COUNT_MAX) {
            put();
        }
    }

    boolean isEmpty() {
        return isEmpty;
    }

    /** Puts what was collected before whatever the caller puts next. */
    void putAll() {
        if (!isEmpty) {
            synchronized (this) {
                put();
            }
        }
    }

    private void put() {
        if (!collected.isEmpty()) {
            Command command = new Command.Acknowledge(collected.build(), Command.QUIET);
            collected.clear();
            sink.accept(CommandCodec.encode(command));
            isEmpty = true;
        }
    }
}
