package org.metaq.jms.destination;

import jakarta.jms.Queue;
import org.metaq.common.DestinationKind;

/** A queue that outlives connections. Immutable. */
public final class MetaQQueue extends MetaQDestination implements Queue {
    private static final long serialVersionUID = 1;

    /**
     * Names the queue; nothing is created at a broker.
     *
     * @param text any name, not empty, and perhaps options: see {@link DestinationOptions}
     * @throws IllegalArgumentException if the name is empty or too long, or an option is bad
     */
    public MetaQQueue(String text) {
        this(DestinationOptions.parse(DestinationKind.QUEUE, text));
    }

    private MetaQQueue(DestinationOptions.Named named) {
        this(named.name(), named.options());
    }

    MetaQQueue(String name, DestinationOptions options) {
        super(DestinationKind.QUEUE, name, options);
    }

    /** The name as the constructor takes it, without options. */
    @Override
    public String getQueueName() {
        return escapedName();
    }
}
