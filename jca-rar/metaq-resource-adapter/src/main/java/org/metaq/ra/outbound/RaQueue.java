package org.metaq.ra.outbound;

import jakarta.jms.Queue;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.destination.MetaQQueue;

/** A queue that a server has configured: an administered object. */
public final class RaQueue extends RaDestination implements Queue {
    private static final long serialVersionUID = 1;

    /** Without a name yet. */
    public RaQueue() {}

    @Override
    MetaQDestination parse(String text) {
        return new MetaQQueue(text);
    }

    /** The name as it was set: what {@code Session.createQueue} takes. */
    @Override
    public String getQueueName() {
        return getName();
    }
}
