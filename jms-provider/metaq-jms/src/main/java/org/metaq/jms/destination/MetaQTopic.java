package org.metaq.jms.destination;

import jakarta.jms.Topic;
import org.metaq.common.DestinationKind;

/** A topic that outlives connections. Immutable. */
public final class MetaQTopic extends MetaQDestination implements Topic {
    private static final long serialVersionUID = 1;

    /**
     * Names the topic; nothing is created at a broker.
     *
     * @param text any name, not empty, and perhaps options: see {@link DestinationOptions}
     * @throws IllegalArgumentException if the name is empty or too long, or an option is bad
     */
    public MetaQTopic(String text) {
        this(DestinationOptions.parse(DestinationKind.TOPIC, text));
    }

    private MetaQTopic(DestinationOptions.Named named) {
        this(named.name(), named.options());
    }

    MetaQTopic(String name, DestinationOptions options) {
        super(DestinationKind.TOPIC, name, options);
    }

    /** The name as the constructor takes it, without options. */
    @Override
    public String getTopicName() {
        return escapedName();
    }
}
