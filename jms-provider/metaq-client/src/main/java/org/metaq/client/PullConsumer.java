package org.metaq.client;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Delivery;

/** The pull loop of one consumer. */
// These bodies throw for one commit only: others compile against the names.
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
public final class PullConsumer {
    /** Stopped, asks for nothing until {@link #start}. */
    public PullConsumer(
            ClientConnection connection,
            int consumerId,
            long subscriptionId,
            int prefetch,
            Runnable onAvailable) {
        throw notYet();
    }

    private static UnsupportedOperationException notYet() {
        return new UnsupportedOperationException("the pull loop comes with the next commit");
    }

    /** As given. */
    public int consumerId() {
        throw notYet();
    }

    /** As given. */
    public long subscriptionId() {
        throw notYet();
    }

    /** Next buffered delivery, or null; null while stopped. */
    public @Nullable Delivery poll() {
        throw notYet();
    }

    /** Waits; null while stopped, when closed or failed. Long.MAX_VALUE: no limit. */
    public @Nullable Delivery poll(long timeoutMs) {
        throw notYet();
    }

    /** For receiveNoWait: null only if the broker had none either. */
    public @Nullable Delivery pollNow() {
        throw notYet();
    }

    /** With prefetch 0 and a listener: asks for one message, whose arrival onAvailable tells. */
    public void request() {
        throw notYet();
    }

    /** Starts asking and handing out. */
    public void start() {
        throw notYet();
    }

    /** Stops asking and handing out; what arrives is buffered. */
    public void stop() {
        throw notYet();
    }

    /** Takes all that is buffered, also when stopped or closed. */
    public List<Delivery> drain() {
        throw notYet();
    }

    /** Why it ended by itself (lost connection, refused acquire), or null. */
    public @Nullable ClientException failure() {
        throw notYet();
    }

    /** Told once, on the reader thread, when it ended by itself. */
    public void onFailure(Consumer<ClientException> listener) {
        throw notYet();
    }

    /** Replaces what happens to deliveries that arrive after close: released undelivered. */
    public void onLateDeliveries(Consumer<List<Delivery>> hook) {
        throw notYet();
    }

    /** Marks closed and wakes waiters; then drain() and send CloseConsumer. */
    public void close() {
        throw notYet();
    }
}
