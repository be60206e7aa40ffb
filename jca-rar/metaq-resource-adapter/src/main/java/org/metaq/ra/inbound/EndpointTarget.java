package org.metaq.ra.inbound;

import jakarta.jms.Session;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.ConnectionOption;
import org.metaq.jms.ConnectionUri;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.DestinationOption;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.session.EndpointSubscription;
import org.metaq.ra.broker.BrokerAccess;

/**
 * What an endpoint listens to, with nothing left to look up. Immutable.
 *
 * @param broker where, and as whom
 * @param connectionFactory makes the connection that all sessions share
 * @param destination with the options of the activation
 * @param selector null: all messages
 * @param subscription how each session subscribes
 * @param acknowledgeMode of the sessions
 */
record EndpointTarget(
        BrokerAccess broker,
        MetaQConnectionFactory connectionFactory,
        MetaQDestination destination,
        @Nullable String selector,
        EndpointSubscription subscription,
        int acknowledgeMode) {

    /**
     * Puts together what was given and what was looked up.
     *
     * @param broker of the connection factory or resource adapter; the spec goes before it
     * @throws IllegalArgumentException if the broker's URI is wrong
     */
    static EndpointTarget of(
            MetaQActivationSpec spec,
            BrokerAccess broker,
            MetaQDestination destination,
            boolean isTransacted) {
        BrokerAccess access =
                broker.with(spec.getConnectionUri(), spec.getUser(), spec.getPassword());
        return new EndpointTarget(
                access,
                connectionFactory(spec, access),
                destination.withDefaults(consumerOptions(spec, destination)),
                spec.getMessageSelector(),
                subscription(spec, destination),
                spec.isDupsOk() && !isTransacted
                        ? Session.DUPS_OK_ACKNOWLEDGE
                        : Session.AUTO_ACKNOWLEDGE);
    }

    /** The activation makes lost connections anew itself. */
    private static MetaQConnectionFactory connectionFactory(
            MetaQActivationSpec spec, BrokerAccess access) {
        Map<ConnectionOption, String> replaced = new EnumMap<>(ConnectionOption.class);
        replaced.put(ConnectionOption.RECONNECT, "false");
        if (spec.getClientId() != null) {
            replaced.put(ConnectionOption.CLIENT_ID, spec.getClientId());
        }
        if (!access.user().isEmpty()) {
            replaced.put(ConnectionOption.USER, access.user());
            if (!access.password().isEmpty()) {
                replaced.put(ConnectionOption.PASSWORD, access.password());
            }
        }
        String uri = ConnectionUri.with(access.uri(), replaced);
        return new MetaQConnectionFactory(ConnectionUri.withDefaults(uri, defaults()));
    }

    /** What the activation has by default, and the URI may have otherwise. */
    private static Map<ConnectionOption, String> defaults() {
        MetaQActivationSpec none = new MetaQActivationSpec();
        Map<ConnectionOption, String> defaults = new EnumMap<>(ConnectionOption.class);
        defaults.put(ConnectionOption.PREFETCH, Integer.toString(none.getPrefetch()));
        defaults.put(ConnectionOption.MAX_DELIVERIES, Integer.toString(none.getMaxDeliveries()));
        defaults.put(ConnectionOption.REDELIVERY_DELAY, Long.toString(none.getRedeliveryDelay()));
        defaults.put(
                ConnectionOption.REDELIVERY_BACK_OFF, Double.toString(none.getRedeliveryBackOff()));
        defaults.put(
                ConnectionOption.MAX_REDELIVERY_DELAY, Long.toString(none.getMaxRedeliveryDelay()));
        return defaults;
    }

    /** What the activation was given, which goes before the URI, but not before the name's own. */
    private static Map<String, String> consumerOptions(
            MetaQActivationSpec spec, MetaQDestination destination) {
        Map<String, String> options = new HashMap<>();
        spec.givenRedelivery().forEach((option, value) -> options.put(option.optionName(), value));
        if (spec.isPrefetchGiven()) {
            options.put(
                    DestinationOption.PREFETCH.optionName(), Integer.toString(spec.getPrefetch()));
        }
        if (spec.getStartFrom() != null && !destination.kind().isQueue()) {
            options.put(DestinationOption.START_FROM.optionName(), spec.getStartFrom());
        }
        return options;
    }

    /**
     * All sessions share a topic's subscription. A durable one is shared also by one session, so
     * that the number of sessions can change.
     */
    private static EndpointSubscription subscription(
            MetaQActivationSpec spec, MetaQDestination destination) {
        if (destination.kind().isQueue()) {
            return EndpointSubscription.UNNAMED;
        }
        String name = spec.getSubscriptionName();
        if (name != null && (spec.isDurable() || spec.getShareSubscriptions())) {
            return new EndpointSubscription(name, spec.isDurable());
        }
        return new EndpointSubscription("metaq-ra-" + UUID.randomUUID(), false);
    }
}
