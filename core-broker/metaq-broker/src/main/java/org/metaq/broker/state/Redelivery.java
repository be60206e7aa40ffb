package org.metaq.broker.state;

import java.util.ArrayList;
import java.util.List;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.ProtocolException;

/**
 * What a redelivery policy says of messages that are released, in the record that releases them:
 * which wait, and which are dead letters. Those that it does not name can be delivered at once.
 *
 * @param delays messages of durable subscriptions that wait
 * @param deadLetters messages that are moved, or dropped
 */
public record Redelivery(List<Delay> delays, List<DeadLetter> deadLetters) {
    /** All can be delivered at once. */
    public static final Redelivery NONE = new Redelivery(List.of(), List.of());

    /**
     * A message waits.
     *
     * @param dueMs until then, ms since 1970
     * @param isStrict whether its message group waits for it
     */
    public record Delay(
            long subscriptionId, int partition, long sequence, long dueMs, boolean isStrict) {}

    /**
     * A message is done with for a subscription, and a copy goes elsewhere.
     *
     * @param subscriptionId which is done with it; 0: none that a record knows
     * @param topic where the message is
     * @param target physical name of the queue that gets the copy; empty: it is dropped
     * @param targetPartition where in the target
     * @param attribute what the copy has in place of the message's attribute; empty: the same
     */
    public record DeadLetter(
            long subscriptionId,
            String topic,
            int partition,
            long sequence,
            String target,
            int targetPartition,
            byte[] attribute) {}

    /** True if it says nothing. */
    public boolean isEmpty() {
        return delays.isEmpty() && deadLetters.isEmpty();
    }

    void write(BodyWriter out) {
        out.i32(delays.size());
        for (Delay delay : delays) {
            out.i64(delay.subscriptionId()).i32(delay.partition()).i64(delay.sequence());
            out.i64(delay.dueMs()).bool(delay.isStrict());
        }
        out.i32(deadLetters.size());
        for (DeadLetter dead : deadLetters) {
            out.i64(dead.subscriptionId()).string(dead.topic()).i32(dead.partition());
            out.i64(dead.sequence()).string(dead.target()).i32(dead.targetPartition());
            out.bytes(dead.attribute());
        }
    }

    /** Reads what {@link #write} wrote; nothing, as earlier releases wrote it, is {@link #NONE}. */
    static Redelivery read(BodyReader in) throws ProtocolException {
        if (in.remaining() == 0) {
            return NONE;
        }
        List<Delay> delays = new ArrayList<>();
        for (int i = in.count(Long.BYTES); i > 0; i--) {
            delays.add(new Delay(in.i64(), in.i32(), in.i64(), in.i64(), in.bool()));
        }
        List<DeadLetter> deadLetters = new ArrayList<>();
        for (int i = in.count(Long.BYTES); i > 0; i--) {
            deadLetters.add(
                    new DeadLetter(
                            in.i64(),
                            in.string(),
                            in.i32(),
                            in.i64(),
                            in.string(),
                            in.i32(),
                            in.bytes()));
        }
        return new Redelivery(delays, deadLetters);
    }
}
