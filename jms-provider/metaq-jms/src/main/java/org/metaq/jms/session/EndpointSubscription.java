package org.metaq.jms.session;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Topic;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.destination.MetaQDestination;

/**
 * How the consumer of an {@link EndpointSession} subscribes. Immutable.
 *
 * @param name empty: a queue's receiver, or a subscription of this session alone to what is sent to
 *     a topic while the session is open; else a subscription to a topic that sessions share
 * @param isDurable whether it stays when nobody is subscribed; it has a name then
 */
public record EndpointSubscription(String name, boolean isDurable) {
    /** Of a queue, or of a topic for this session alone. */
    public static final EndpointSubscription UNNAMED = new EndpointSubscription("", false);

    /**
     * Checks.
     *
     * @throws IllegalArgumentException if it is durable and has no name
     */
    public EndpointSubscription {
        if (isDurable && name.isEmpty()) {
            throw new IllegalArgumentException("a durable subscription must have a name");
        }
    }

    Subscription of(Destination destination, @Nullable String selector) throws JMSException {
        if (name.isEmpty()) {
            return Subscription.unnamed(destination, selector, false);
        }
        if (MetaQDestination.from(destination) instanceof Topic topic) {
            return Subscription.named(topic, name, selector, isDurable, true, false);
        }
        throw new InvalidDestinationException(
                destination + " is a queue: the subscription " + name + " must be to a topic");
    }
}
