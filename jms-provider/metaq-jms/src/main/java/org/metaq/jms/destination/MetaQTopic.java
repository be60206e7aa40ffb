package org.metaq.jms.destination;

import jakarta.jms.Topic;
import org.metaq.common.DestinationKind;

/** A topic that outlives connections. Immutable. */
public final class MetaQTopic extends MetaQDestination implements Topic {
    private static final long serialVersionUID = 1;

    /**
     * Names the topic; nothing is created at a broker.
     *
     * @param name any characters, not empty
     * @throws IllegalArgumentException if the name is empty or too long
     */
    public MetaQTopic(String name) {
        super(DestinationKind.TOPIC, name);
    }

    @Override
    public String getTopicName() {
        return name();
    }
}
