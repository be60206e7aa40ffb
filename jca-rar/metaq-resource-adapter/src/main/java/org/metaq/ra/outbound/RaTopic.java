package org.metaq.ra.outbound;

import jakarta.jms.Topic;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.destination.MetaQTopic;

/** A topic that a server has configured: an administered object. */
public final class RaTopic extends RaDestination implements Topic {
    private static final long serialVersionUID = 1;

    /** Without a name yet. */
    public RaTopic() {}

    @Override
    MetaQDestination parse(String text) {
        return new MetaQTopic(text);
    }

    /** The name as it was set: what {@code Session.createTopic} takes. */
    @Override
    public String getTopicName() {
        return getName();
    }
}
