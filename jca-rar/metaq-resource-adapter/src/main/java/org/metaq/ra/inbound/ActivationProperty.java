package org.metaq.ra.inbound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.ConnectionUri;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.jms.option.QueryText;
import org.metaq.jms.option.RedeliveryOption;
import org.metaq.selector.Selector;
import org.metaq.selector.SelectorSyntaxException;

/**
 * The properties of a {@link MetaQActivationSpec}: the one table from which values are checked and
 * documents are made.
 */
enum ActivationProperty {
    DESTINATION(
            "destination",
            MetaQActivationSpec::getDestination,
            "name, perhaps with options (`orders?prefetch=1`)",
            accepts(MetaQQueue::new).or(accepts(MetaQTopic::new)),
            "The queue or topic at the broker; for JNDI names see `destinationLookup`"),
    DESTINATION_TYPE(
            "destinationType",
            MetaQActivationSpec::getDestinationType,
            "`jakarta.jms.Queue` or `jakarta.jms.Topic`; `Queue`, `Topic` and the names in"
                    + " `javax.jms` mean the same",
            value ->
                    List.of("queue", "topic")
                            .contains(MetaQActivationSpec.simpleName((String) value)),
            "Needed with `destination`; with `destinationLookup` the object tells"),
    DESTINATION_LOOKUP(
            "destinationLookup",
            MetaQActivationSpec::getDestinationLookup,
            "JNDI name of a queue or topic",
            ActivationProperty::isAny,
            "Goes before `destination`. Looked up when the bean is activated, with its names"
                    + " (`java:app/…`)"),
    CONNECTION_FACTORY_LOOKUP(
            "connectionFactoryLookup",
            MetaQActivationSpec::getConnectionFactoryLookup,
            "JNDI name of a connection factory of this adapter, or a `MetaQConnectionFactory`",
            ActivationProperty::isAny,
            "Its broker and user are used, in place of the resource adapter's; not the client id of"
                    + " a pool, which the pool's own connection has"),
    MESSAGE_SELECTOR(
            "messageSelector",
            MetaQActivationSpec::getMessageSelector,
            "message selector",
            ActivationProperty::isSelector,
            "Which messages the bean gets"),
    ACKNOWLEDGE_MODE(
            "acknowledgeMode",
            MetaQActivationSpec::getAcknowledgeMode,
            "`Auto-acknowledge` or `Dups-ok-acknowledge`",
            oneOf("auto-acknowledge", "dups-ok-acknowledge"),
            "For beans without a container transaction; dups-ok acknowledges in batches"),
    SUBSCRIPTION_DURABILITY(
            "subscriptionDurability",
            MetaQActivationSpec::getSubscriptionDurability,
            "`Durable` or `NonDurable`",
            oneOf("durable", "nondurable"),
            "Topics: whether messages are kept while the bean is not there"),
    SUBSCRIPTION_NAME(
            "subscriptionName",
            MetaQActivationSpec::getSubscriptionName,
            "name",
            ActivationProperty::isAny,
            "Topics: needed for durable and for shared subscriptions"),
    CLIENT_ID(
            "clientId",
            MetaQActivationSpec::getClientId,
            "name",
            ActivationProperty::isAny,
            "Client id of the bean's connection. One connection at a time can have it: leave it out"
                    + " where several servers share a subscription"),
    SHARE_SUBSCRIPTIONS(
            "shareSubscriptions",
            MetaQActivationSpec::getShareSubscriptions,
            "`true` or `false`",
            ActivationProperty::isAny,
            "Topics, not durable: whether beans of other servers with the same `subscriptionName`"
                    + " share the messages. Durable subscriptions are always shared"),
    START_FROM(
            "startFrom",
            MetaQActivationSpec::getStartFrom,
            "`earliest`, `latest`, a time such as `2026-11-01T00:00:00Z`, milliseconds since 1970,"
                    + " or `offset:<partition>:<offset>`",
            accepts(position -> new MetaQTopic("t?startFrom=" + QueryText.encode(position))),
            "Topics: where a new subscription starts; one that is there goes on where it is"),
    CONNECTION_URI(
            "connectionUri",
            MetaQActivationSpec::getConnectionUri,
            "`metaq://host:port…`",
            accepts(ConnectionUri::parse),
            "The broker, in place of the connection factory's or the resource adapter's"),
    USER(
            "user",
            MetaQActivationSpec::getUser,
            "name",
            ActivationProperty::isAny,
            "Who connects, in place of the connection factory's or the resource adapter's user."
                    + " Also `userName`"),
    PASSWORD(
            "password",
            MetaQActivationSpec::getPassword,
            "text",
            ActivationProperty::isAny,
            "Password of `user`"),
    MAX_SESSIONS(
            "maxSessions",
            EndpointTuning::getMaxSessions,
            1,
            1000,
            "Messages that the bean works on at a time; 1 keeps their order. Also `maxSession`"),
    PREFETCH(
            "prefetch",
            EndpointTuning::getPrefetch,
            1,
            10_000,
            "Messages that each session takes ahead. Fewer spread slow work more evenly"),
    MAX_DELIVERIES(
            "maxDeliveries",
            EndpointTuning::getMaxDeliveries,
            RedeliveryOption.MAX_DELIVERIES,
            "Deliveries after which a message that fails is moved to the dead letter queue; 0: no"
                    + " limit"),
    REDELIVERY_DELAY(
            "redeliveryDelay",
            EndpointTuning::getRedeliveryDelay,
            RedeliveryOption.DELAY,
            "Milliseconds before the second delivery; other messages do not wait meanwhile"),
    REDELIVERY_BACK_OFF(
            "redeliveryBackOff",
            EndpointTuning::getRedeliveryBackOff,
            RedeliveryOption.BACK_OFF,
            "What the delay is multiplied with for each further delivery"),
    MAX_REDELIVERY_DELAY(
            "maxRedeliveryDelay",
            EndpointTuning::getMaxRedeliveryDelay,
            RedeliveryOption.MAX_DELAY,
            "Milliseconds that the delay does not exceed as it grows"),
    STRICT_ORDER(
            "strictOrder",
            EndpointTuning::getStrictOrder,
            RedeliveryOption.STRICT_ORDER,
            "Whether a message group (`JMSXGroupID`) waits for its message that waits for its"
                    + " delay"),
    DEAD_LETTER_QUEUE(
            "deadLetterQueue",
            EndpointTuning::getDeadLetterQueue,
            "name of a queue",
            accepts(MetaQQueue::new),
            "Where dead letters go; without it where the broker's configuration says"),
    BREAKER_THRESHOLD(
            "breakerThreshold",
            EndpointTuning::getBreakerThreshold,
            "0, or 2 to 1000",
            value -> ((Number) value).intValue() == 0 || isIn(2, 1000).test(value),
            "Failures of different messages in a row after which deliveries pause; 0: never"),
    BREAKER_DELAY(
            "breakerDelay",
            EndpointTuning::getBreakerDelay,
            1,
            Range.DELAY_MAX_MS,
            "Milliseconds from the pause to the first probe; doubles with each that fails"),
    BREAKER_MAX_DELAY(
            "breakerMaxDelay",
            EndpointTuning::getBreakerMaxDelay,
            1,
            Range.DELAY_MAX_MS,
            "Milliseconds that the time between probes does not exceed"),
    RECONNECT_DELAY(
            "reconnectDelay",
            EndpointTuning::getReconnectDelay,
            1,
            Range.DELAY_MAX_MS,
            "Milliseconds between the first attempts to connect; doubles with each that fails, and"
                    + " is shortened by up to a half at random"),
    RECONNECT_MAX_DELAY(
            "reconnectMaxDelay",
            EndpointTuning::getReconnectMaxDelay,
            1,
            Range.DELAY_MAX_MS,
            "Milliseconds that the time between attempts does not exceed");

    /** Constants that enum constants cannot see as fields of the enum itself. */
    private static final class Range {
        static final int DELAY_MAX_MS = 3_600_000;

        private Range() {}
    }

    private final String propertyName;

    // Method references and lambdas without state, which Error Prone cannot tell.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<MetaQActivationSpec, @Nullable Object> getter;

    private final String range;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Predicate<Object> rule;

    private final String description;

    ActivationProperty(
            String propertyName,
            Function<MetaQActivationSpec, @Nullable Object> getter,
            String range,
            Predicate<Object> rule,
            String description) {
        this.propertyName = propertyName;
        this.getter = getter;
        this.range = range;
        this.rule = rule;
        this.description = description;
    }

    ActivationProperty(
            String propertyName,
            Function<MetaQActivationSpec, @Nullable Object> getter,
            int min,
            int max,
            String description) {
        this(propertyName, getter, min + " to " + max, isIn(min, max), description);
    }

    ActivationProperty(
            String propertyName,
            Function<MetaQActivationSpec, @Nullable Object> getter,
            RedeliveryOption option,
            String description) {
        this(
                propertyName,
                getter,
                option.range(),
                value -> option.accepts(value.toString()),
                description);
    }

    private static boolean isAny(Object value) {
        return true;
    }

    private static Predicate<Object> isIn(long min, long max) {
        return value -> ((Number) value).longValue() >= min && ((Number) value).longValue() <= max;
    }

    private static Predicate<Object> oneOf(String... words) {
        return value ->
                Arrays.asList(words)
                        .contains(value.toString().replace('_', '-').toLowerCase(Locale.ROOT));
    }

    /** What such a reader takes, which throws an IllegalArgumentException otherwise. */
    private static Predicate<Object> accepts(Function<String, @Nullable Object> reader) {
        return value -> {
            try {
                var unused = reader.apply((String) value);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        };
    }

    private static boolean isSelector(Object value) {
        try {
            var unused = Selector.parseOrNull((String) value);
            return true;
        } catch (SelectorSyntaxException e) {
            return false;
        }
    }

    /** As servers and annotations have it. */
    String propertyName() {
        return propertyName;
    }

    /** Its values, for people. */
    String range() {
        return range;
    }

    /** What it does and why one would change it. */
    String description() {
        return description;
    }

    /** Its value in a bean; null: none. */
    @Nullable Object of(MetaQActivationSpec spec) {
        return getter.apply(spec);
    }

    /** True if it may have the value that it has there; null is no value. */
    boolean isValidIn(MetaQActivationSpec spec) {
        Object value = of(spec);
        return value == null || rule.test(value);
    }

    /** As {@code name=value}, without a secret. */
    String shownIn(MetaQActivationSpec spec) {
        return propertyName + "=" + (this == PASSWORD ? "***" : of(spec));
    }

    /** All that have a value in a bean, by property. */
    static Map<ActivationProperty, Object> valuesOf(MetaQActivationSpec spec) {
        Map<ActivationProperty, Object> values = new EnumMap<>(ActivationProperty.class);
        for (ActivationProperty property : values()) {
            Object value = property.of(spec);
            if (value != null) {
                values.put(property, value);
            }
        }
        return values;
    }

    /** What differs from the defaults, for people. */
    static List<String> shown(MetaQActivationSpec spec) {
        Map<ActivationProperty, Object> defaults = valuesOf(new MetaQActivationSpec());
        List<String> shown = new ArrayList<>();
        valuesOf(spec)
                .forEach(
                        (property, value) -> {
                            if (!value.equals(defaults.get(property))) {
                                shown.add(property.shownIn(spec));
                            }
                        });
        return shown;
    }
}
