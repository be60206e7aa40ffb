package org.metaq.jms.destination;

import jakarta.jms.Queue;
import org.metaq.common.DestinationKind;

/** A queue that outlives connections. Immutable. */
public final class MetaQQueue extends MetaQDestination implements Queue {
    private static final long serialVersionUID = 1;

    /**
     * Names the queue; nothing is created at a broker.
     *
     * @param name any characters, not empty
     * @throws IllegalArgumentException if the name is empty or too long
     */
    public MetaQQueue(String name) {
        super(DestinationKind.QUEUE, name);
    }

    @Override
    public String getQueueName() {
        return name();
    }
}
