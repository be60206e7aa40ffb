package org.metaq.selector;

import org.jspecify.annotations.Nullable;

/** What a selector sees of one message. */
@FunctionalInterface
public interface SelectorSource {
    /**
     * Value of a property, or of one of the headers that a selector may name: {@code
     * JMSDeliveryMode} ({@code "PERSISTENT"} or {@code "NON_PERSISTENT"}), {@code JMSPriority},
     * {@code JMSMessageID}, {@code JMSTimestamp}, {@code JMSCorrelationID} and {@code JMSType}.
     *
     * @param identifier its name, case as in the selector
     * @return a Boolean, Byte, Short, Integer, Long, Float, Double or String; null for what the
     *     message does not have
     */
    @Nullable Object value(String identifier);
}
