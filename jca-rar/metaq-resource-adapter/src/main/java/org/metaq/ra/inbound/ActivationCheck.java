package org.metaq.ra.inbound;

import jakarta.resource.spi.InvalidPropertyException;
import java.beans.IntrospectionException;
import java.beans.PropertyDescriptor;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds all that is wrong with an activation spec. Confined to the call of {@link #check}. */
final class ActivationCheck {
    private final MetaQActivationSpec spec;

    /** What is wrong with each. */
    private final Map<ActivationProperty, String> problems =
            new EnumMap<>(ActivationProperty.class);

    private ActivationCheck(MetaQActivationSpec spec) {
        this.spec = spec;
    }

    /**
     * Checks all properties, each and together.
     *
     * @throws InvalidPropertyException names all that are wrong, with value and range
     */
    static void check(MetaQActivationSpec spec) throws InvalidPropertyException {
        ActivationCheck check = new ActivationCheck(spec);
        check.checkEach();
        check.checkTogether();
        check.throwIfAny();
    }

    private void checkEach() {
        for (ActivationProperty property : ActivationProperty.values()) {
            if (!property.isValidIn(spec)) {
                problems.put(property, "it takes " + property.range());
            }
        }
    }

    private void checkTogether() {
        if (spec.getDestinationLookup() == null) {
            if (spec.getDestination() == null) {
                problems.put(ActivationProperty.DESTINATION, "give it, or destinationLookup");
            }
            if (spec.getDestinationType() == null) {
                problems.put(
                        ActivationProperty.DESTINATION_TYPE,
                        "with destination it takes " + ActivationProperty.DESTINATION_TYPE.range());
            }
        }
        boolean isNamed = spec.isDurable() || spec.getShareSubscriptions();
        if (isNamed && !spec.isQueueType() && spec.getSubscriptionName() == null) {
            problems.put(
                    ActivationProperty.SUBSCRIPTION_NAME,
                    "durable and shared subscriptions need a name");
        }
        if (spec.getBreakerMaxDelay() < spec.getBreakerDelay()) {
            problems.putIfAbsent(
                    ActivationProperty.BREAKER_MAX_DELAY,
                    "it must not be below breakerDelay=" + spec.getBreakerDelay());
        }
        if (spec.getReconnectMaxDelay() < spec.getReconnectDelay()) {
            problems.putIfAbsent(
                    ActivationProperty.RECONNECT_MAX_DELAY,
                    "it must not be below reconnectDelay=" + spec.getReconnectDelay());
        }
    }

    private void throwIfAny() throws InvalidPropertyException {
        if (problems.isEmpty()) {
            return;
        }
        String text =
                problems.entrySet().stream()
                        .map(problem -> problem.getKey().shownIn(spec) + ": " + problem.getValue())
                        .collect(Collectors.joining("; "));
        InvalidPropertyException invalid =
                new InvalidPropertyException("wrong activation properties: " + text);
        invalid.setInvalidPropertyDescriptors(
                problems.keySet().stream()
                        .map(ActivationCheck::descriptor)
                        .toArray(PropertyDescriptor[]::new));
        throw invalid;
    }

    private static PropertyDescriptor descriptor(ActivationProperty property) {
        try {
            return new PropertyDescriptor(property.propertyName(), MetaQActivationSpec.class);
        } catch (IntrospectionException e) {
            throw new IllegalStateException("no property " + property.propertyName(), e);
        }
    }
}
