package org.metaq.jms.destination;

import jakarta.jms.JMSException;
import jakarta.jms.TemporaryTopic;
import org.jspecify.annotations.Nullable;
import org.metaq.common.DestinationKind;

/** A topic that lives as long as the connection that made it. Immutable. */
public final class MetaQTemporaryTopic extends MetaQDestination implements TemporaryTopic {
    private static final long serialVersionUID = 1;

    // Not serialized: elsewhere the name is good for sending only.
    private final transient @Nullable TemporaryOwner owner;

    /**
     * Names the topic; the caller has created it at the broker.
     *
     * @param owner who deletes it; null if this only names another connection's, such as a reply-to
     * @throws IllegalArgumentException if the name is empty or too long
     */
    public MetaQTemporaryTopic(String name, @Nullable TemporaryOwner owner) {
        super(DestinationKind.TEMPORARY_TOPIC, name, DestinationOptions.NONE);
        this.owner = owner;
    }

    @Override
    public String getTopicName() {
        return name();
    }

    /** Who may delete it and receive from it; null if it is another connection's. */
    public @Nullable TemporaryOwner owner() {
        return owner;
    }

    /**
     * Deletes it at the broker.
     *
     * @throws JMSException if it has receivers, or this object came from a message and so belongs
     *     to another connection
     */
    @Override
    public void delete() throws JMSException {
        if (owner == null) {
            throw new JMSException(
                    this + " can be deleted only through the connection that created it");
        }
        owner.delete(this);
    }
}
