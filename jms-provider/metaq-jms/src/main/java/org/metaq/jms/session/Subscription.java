package org.metaq.jms.session;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Topic;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.protocol.SubscribeOptions;

/**
 * What a consumer subscribes to, checked. Immutable.
 *
 * @param name empty for a queue and for a non-durable unshared subscription
 * @param selector empty for none
 */
record Subscription(
        MetaQDestination destination,
        String name,
        boolean isDurable,
        boolean isShared,
        boolean isNoLocal,
        String selector) {

    /** A queue's receiver, or a non-durable unshared subscription. */
    static Subscription unnamed(
            @Nullable Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        MetaQDestination checked = MetaQDestination.from(destination);
        // Jakarta Messaging 3.1 §8.3: noLocal has no meaning for a queue.
        return new Subscription(
                checked,
                "",
                false,
                false,
                noLocal && !checked.kind().isQueue(),
                Selectors.checked(selector));
    }

    /** A durable or a shared subscription. */
    static Subscription named(
            @Nullable Topic topic,
            @Nullable String name,
            @Nullable String selector,
            boolean durable,
            boolean shared,
            boolean noLocal)
            throws JMSException {
        MetaQDestination checked = MetaQDestination.from(topic);
        if (checked.kind().isQueue() || (durable && checked.kind().isTemporary())) {
            throw new InvalidDestinationException(
                    checked
                            + " cannot have a "
                            + (durable ? "durable" : "shared")
                            + " subscription");
        }
        return new Subscription(
                checked,
                SessionCore.checkedName("subscription", name),
                durable,
                shared,
                noLocal,
                Selectors.checked(selector));
    }

    /** What it asks the broker for beyond its terms. */
    SubscribeOptions options(ConnectionSettings settings) {
        return destination.options().subscribeOptions(settings.redelivery());
    }

    /** Most messages that its consumer takes ahead. */
    int prefetch(ConnectionSettings settings) {
        return destination.options().prefetch(settings.prefetch());
    }

    @Override
    public String toString() {
        return destination + (name.isEmpty() ? "" : " (subscription " + name + ")");
    }
}
