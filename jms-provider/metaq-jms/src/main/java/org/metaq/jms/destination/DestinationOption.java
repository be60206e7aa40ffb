package org.metaq.jms.destination;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.metaq.jms.option.Nearest;
import org.metaq.jms.option.RedeliveryOption;
import org.metaq.protocol.StartPosition;
import org.metaq.protocol.SubscribeOptions;

/**
 * The options of a destination name besides those of {@link RedeliveryOption}: the one table from
 * which documents are made.
 */
public enum DestinationOption {
    /** Start of a subscription. */
    FROM(
            SubscribeOptions.FROM,
            Range.POSITION,
            "Topics only. Where the consumer's subscription starts to read; a durable one that is"
                    + " there already is reset to it. Other subscriptions are not touched"),
    /** Start of a new subscription. */
    START_FROM(
            SubscribeOptions.START_FROM,
            Range.POSITION,
            "Topics only. As from, but a durable subscription that is there already goes on where"
                    + " it is"),
    /** Messages taken ahead. */
    PREFETCH(
            "prefetch",
            "1 to " + Range.PREFETCH_MAX,
            "Messages that a consumer of this destination takes ahead, instead of the connection's"
                    + " prefetch");

    /** Constants that enum constants cannot see as fields of the enum itself. */
    private static final class Range {
        static final int PREFETCH_MAX = 10_000;
        static final String POSITION =
                "earliest, latest, a time such as 2026-11-01T00:00:00Z or"
                        + " 2026-11-01T01:00:00+01:00, milliseconds since 1970, or"
                        + " offset:<partition>:<offset> (partition 0: offset:<offset>)";

        private Range() {}
    }

    /** Names of which a destination can have one only. */
    static final List<String> STARTS = List.of(FROM.optionName, START_FROM.optionName);

    private final String optionName;
    private final String range;
    private final String description;

    DestinationOption(String optionName, String range, String description) {
        this.optionName = optionName;
        this.range = range;
        this.description = description;
    }

    /** As it stands behind the question mark; case matters. */
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

    /**
     * Checks an option of a destination's name.
     *
     * @throws IllegalArgumentException if there is none of this name, it is not for such a
     *     destination, or it cannot have the value; names option, value and what is allowed
     */
    static void check(boolean isQueue, String name, String value) {
        RedeliveryOption redelivery = RedeliveryOption.named(name).orElse(null);
        if (redelivery != null) {
            if (!redelivery.accepts(value)) {
                throw bad(name, value, redelivery.range());
            }
            return;
        }
        DestinationOption option = named(name);
        if (isQueue && option != PREFETCH) {
            throw new IllegalArgumentException(
                    "option '" + name + "' is for topics; a queue has no start position");
        }
        if (!option.accepts(value)) {
            throw bad(name, value, option.range);
        }
    }

    private static IllegalArgumentException bad(String name, String value, String range) {
        return new IllegalArgumentException(
                "option '" + name + "' cannot be '" + value + "': it takes " + range);
    }

    private static DestinationOption named(String name) {
        return Arrays.stream(values())
                .filter(option -> option.optionName.equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "unknown option '"
                                                + name
                                                + "' of a destination; did you mean '"
                                                + Nearest.of(name, names())
                                                + "'?"));
    }

    /** The names of all options that a destination may have. */
    static List<String> names() {
        return Stream.concat(
                        Arrays.stream(values()).map(DestinationOption::optionName),
                        Arrays.stream(RedeliveryOption.values()).map(RedeliveryOption::optionName))
                .toList();
    }

    private boolean accepts(String value) {
        if (this == PREFETCH) {
            return value.matches("[0-9]{1,5}")
                    && Integer.parseInt(value) >= 1
                    && Integer.parseInt(value) <= Range.PREFETCH_MAX;
        }
        try {
            var unused = position(value);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Reads a position: as the protocol has it, or milliseconds alone.
     *
     * @throws IllegalArgumentException if it is none
     */
    static StartPosition position(String value) {
        return value.matches("[0-9]{1,18}")
                ? StartPosition.time(Long.parseLong(value))
                : StartPosition.parse(value);
    }
}
