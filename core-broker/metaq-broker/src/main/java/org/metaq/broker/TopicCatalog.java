package org.metaq.broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of all topics: those configured by name, those that match a name with {@code *} (any
 * characters), and those of every other topic. Immutable.
 */
public final class TopicCatalog {
    private record Wildcard(Pattern pattern, TopicSettings settings) {}

    private final TopicSettings defaults;
    private final Map<String, TopicSettings> byName = new LinkedHashMap<>();
    private final List<Wildcard> wildcards = new ArrayList<>();

    /**
     * A catalog.
     *
     * @param defaults of topics that match no section
     * @param sections settings by physical name, which may hold {@code *}; of several that match,
     *     the first in the map's order counts, exact names before others
     */
    public TopicCatalog(TopicSettings defaults, Map<String, TopicSettings> sections) {
        this.defaults = defaults;
        sections.forEach(
                (name, settings) -> {
                    if (name.indexOf('*') < 0) {
                        byName.put(name, settings);
                    } else {
                        wildcards.add(new Wildcard(pattern(name), settings));
                    }
                });
    }

    /** A catalog without sections. */
    public static TopicCatalog of(TopicSettings defaults) {
        return new TopicCatalog(defaults, Map.of());
    }

    private static Pattern pattern(String name) {
        StringBuilder regex = new StringBuilder();
        for (String literal : name.split("\\*", -1)) {
            regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(literal));
        }
        return Pattern.compile(regex.toString());
    }

    /** Settings of a topic, by physical name. */
    public TopicSettings of(String topic) {
        TopicSettings configured = configured(topic);
        return configured == null ? defaults : configured;
    }

    /** True if a section names the topic or matches it. */
    public boolean isConfigured(String topic) {
        return configured(topic) != null;
    }

    private @Nullable TopicSettings configured(String topic) {
        TopicSettings exact = byName.get(topic);
        if (exact != null) {
            return exact;
        }
        for (Wildcard wildcard : wildcards) {
            if (wildcard.pattern().matcher(topic).matches()) {
                return wildcard.settings();
            }
        }
        return null;
    }

    /** Settings of topics that no section names or matches. */
    public TopicSettings defaults() {
        return defaults;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TopicCatalog that
                && defaults.equals(that.defaults)
                && byName.equals(that.byName)
                && wildcards.toString().equals(that.wildcards.toString());
    }

    @Override
    public int hashCode() {
        return byName.hashCode();
    }

    /** Names configured without {@code *}, in the order of the sections. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }
}
