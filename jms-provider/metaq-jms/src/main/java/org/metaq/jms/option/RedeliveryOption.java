package org.metaq.jms.option;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.metaq.protocol.RedeliveryPolicy;

/**
 * The options of the redelivery policy, which a connection URI and a destination name may have
 * alike; what neither has is the broker's for the destination.
 */
public enum RedeliveryOption {
    /** Deliveries before the dead letter queue. */
    MAX_DELIVERIES(
            RedeliveryPolicy.MAX_DELIVERIES,
            "0 to 2147483647",
            "Deliveries after which a message that comes back is moved to the dead letter queue; 0:"
                    + " no limit"),
    /** First delay. */
    DELAY(
            RedeliveryPolicy.DELAY,
            "0 to " + RedeliveryPolicy.DELAY_MAX_MS,
            "Milliseconds before the second delivery; other messages do not wait meanwhile"),
    /** Growth of the delay. */
    BACK_OFF(
            RedeliveryPolicy.BACK_OFF,
            "1 to 1000",
            "What the delay is multiplied with for each further delivery"),
    /** Longest delay. */
    MAX_DELAY(
            RedeliveryPolicy.MAX_DELAY,
            "0 to " + RedeliveryPolicy.DELAY_MAX_MS,
            "Milliseconds that no delay made by the back-off exceeds"),
    /** Order in groups. */
    STRICT_ORDER(
            RedeliveryPolicy.STRICT_ORDER,
            "true or false",
            "Whether the messages behind it in its JMSXGroupID wait for a message that waits for"
                    + " its delay"),
    /** Dead letter queue. */
    DEAD_LETTER(
            RedeliveryPolicy.DEAD_LETTER,
            "name of a queue, or empty",
            "Queue that takes the dead letters; empty: they are dropped");

    private final String optionName;
    private final String range;
    private final String description;

    RedeliveryOption(String optionName, String range, String description) {
        this.optionName = optionName;
        this.range = range;
        this.description = description;
    }

    /** The option of this name, if it is one; case matters. */
    public static Optional<RedeliveryOption> named(String name) {
        return Arrays.stream(values()).filter(o -> o.optionName.equals(name)).findFirst();
    }

    /** As it stands in a URI or a name. */
    public String optionName() {
        return optionName;
    }

    /** Its values, for people. */
    public String range() {
        return range;
    }

    /** What it does. */
    public String description() {
        return description;
    }

    /** True if it may have this value. */
    public boolean accepts(String value) {
        try {
            var unused = RedeliveryPolicy.DEFAULT.with(Map.of(optionName, value));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
