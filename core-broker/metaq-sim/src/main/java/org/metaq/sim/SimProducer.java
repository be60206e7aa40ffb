package org.metaq.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Durability;

/** A producer id and what is known of its sends. */
final class SimProducer {
    /** A send outside of any branch. */
    record Sent(Op.Send op, int length, Durability durability) {}

    final long id;
    long nextSequence = 1;

    /** Told to the broker and not answered, oldest first. */
    final List<Sent> unanswered = new ArrayList<>();

    @Nullable Sent lastAnswered;
    String lastAnswer = "";

    SimProducer(long id) {
        this.id = id;
    }
}
