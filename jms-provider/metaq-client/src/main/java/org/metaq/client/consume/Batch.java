package org.metaq.client.consume;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Messages of one partition, in order. Confined to the thread that called the listener, until that
 * returns.
 */
public final class Batch {
    private final List<ReceivedMessage> messages;
    private final Consumer<ReceivedMessage> acknowledged;
    private final BooleanSupplier stops;
    private boolean isAbandoned;

    Batch(
            List<ReceivedMessage> messages,
            Consumer<ReceivedMessage> acknowledged,
            BooleanSupplier stops) {
        this.messages = List.copyOf(messages);
        this.acknowledged = acknowledged;
        this.stops = stops;
    }

    /** Hands the messages to a listener one by one, until the partition is to be given away. */
    void deliverEach(MessageListener listener) throws Exception {
        for (ReceivedMessage message : messages) {
            if (stops.getAsBoolean()) {
                isAbandoned = true;
                return;
            }
            listener.onMessage(message);
            acknowledged.accept(message);
        }
    }

    /** True if the listener returned before it had seen all. */
    boolean isAbandoned() {
        return isAbandoned;
    }

    /** Not empty. */
    public List<ReceivedMessage> messages() {
        return messages;
    }

    /**
     * Says that a message and all before it are done with, whatever becomes of the rest.
     *
     * @throws IllegalArgumentException if it is not of this batch
     */
    public void acknowledge(ReceivedMessage message) {
        if (!messages.contains(message)) {
            throw new IllegalArgumentException("not of this batch: " + message);
        }
        acknowledged.accept(message);
    }
}
