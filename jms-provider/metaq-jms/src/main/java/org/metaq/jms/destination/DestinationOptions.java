package org.metaq.jms.destination;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metaq.common.DestinationKind;
import org.metaq.jms.option.QueryText;
import org.metaq.jms.option.RedeliveryOption;
import org.metaq.protocol.StartPosition;
import org.metaq.protocol.SubscribeOptions;

/**
 * What the consumers of a destination want of it, as its name says behind a question mark: {@code
 * prices?from=2026-11-01T00:00:00Z&prefetch=10}. Producers and browsers take no notice.
 *
 * <p>A name may hold any character: in what {@code createQueue}, {@code createTopic}, JNDI and the
 * constructors of destinations take, {@code %3F} stands for a question mark that belongs to the
 * name, and {@code %25} for a percent sign where it would else be read as such. Immutable.
 */
public final class DestinationOptions implements Serializable {
    /** No options. */
    public static final DestinationOptions NONE = new DestinationOptions(Map.of());

    private static final long serialVersionUID = 1;

    // LinkedHashMap, not Map: it has to be serializable.
    private final LinkedHashMap<String, String> given;

    private DestinationOptions(Map<String, String> given) {
        this.given = new LinkedHashMap<>(given);
    }

    /** A name with options, taken apart. */
    record Named(String name, DestinationOptions options) {}

    /**
     * Takes a name with options apart.
     *
     * @throws IllegalArgumentException if an option is unknown, given twice, without value, or
     *     cannot have its value
     */
    static Named parse(DestinationKind kind, String text) {
        int question = text.indexOf('?');
        if (question < 0) {
            return new Named(unescape(text), NONE);
        }
        try {
            Map<String, String> options = QueryText.parse(text.substring(question + 1));
            if (options.isEmpty()) {
                throw new IllegalArgumentException("no option behind the question mark");
            }
            options.forEach((name, value) -> DestinationOption.check(kind.isQueue(), name, value));
            if (options.keySet().containsAll(DestinationOption.STARTS)) {
                throw new IllegalArgumentException("only one of " + DestinationOption.STARTS);
            }
            return new Named(
                    unescape(text.substring(0, question)), new DestinationOptions(options));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage()
                            + " (in '"
                            + text
                            + "'; a question mark that belongs to the name is written %3F)",
                    e);
        }
    }

    private static String unescape(String text) {
        return text.replace("%3F", "?").replace("%3f", "?").replace("%25", "%");
    }

    /** A name in the form that {@link #parse} takes. */
    static String escape(String name) {
        return name.replaceAll("%(?=3[Ff]|25)", "%25").replace("?", "%3F");
    }

    /** True if there is none. */
    public boolean isEmpty() {
        return given.isEmpty();
    }

    /** Most messages that a consumer takes ahead; the argument if it is not said. */
    public int prefetch(int otherwise) {
        String value = given.get(DestinationOption.PREFETCH.optionName());
        return value == null ? otherwise : Integer.parseInt(value);
    }

    /**
     * What a consumer of the destination asks the broker for.
     *
     * @param redelivery the connection's values of the redelivery policy, which these here replace
     */
    public SubscribeOptions subscribeOptions(Map<String, String> redelivery) {
        Map<String, String> policy = new LinkedHashMap<>(redelivery);
        given.forEach(
                (name, value) -> {
                    if (RedeliveryOption.named(name).isPresent()) {
                        policy.put(name, value);
                    }
                });
        StartPosition from = position(DestinationOption.FROM);
        return from != null
                ? new SubscribeOptions(from, true, policy)
                : new SubscribeOptions(position(DestinationOption.START_FROM), false, policy);
    }

    private @Nullable StartPosition position(DestinationOption option) {
        String value = given.get(option.optionName());
        return value == null ? null : DestinationOption.position(value);
    }

    /**
     * These, and others where these do not say it.
     *
     * @throws IllegalArgumentException if one of the others is unknown, not for such a destination,
     *     or cannot have its value
     */
    DestinationOptions withDefaults(DestinationKind kind, Map<String, String> others) {
        Map<String, String> all = new LinkedHashMap<>(others);
        all.forEach((name, value) -> DestinationOption.check(kind.isQueue(), name, value));
        if (given.keySet().stream().anyMatch(DestinationOption.STARTS::contains)) {
            all.keySet().removeAll(DestinationOption.STARTS);
        }
        all.putAll(given);
        return new DestinationOptions(all);
    }

    /** As behind the question mark, such that it can be parsed again. */
    String encoded() {
        return given.entrySet().stream()
                .map(e -> e.getKey() + "=" + QueryText.encode(e.getValue()))
                .collect(Collectors.joining("&"));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DestinationOptions that && given.equals(that.given);
    }

    @Override
    public int hashCode() {
        return given.hashCode();
    }

    /** As behind the question mark, readable: {@code name=value&name=value}; empty for none. */
    @Override
    public String toString() {
        return given.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining("&"));
    }
}
