package org.metaq.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.TopicCatalog;
import org.metaq.broker.TopicSettings;
import org.metaq.protocol.RedeliveryPolicy;

/**
 * What one {@code [topic=NAME]} section says, checked. Immutable.
 *
 * @param values keys that are set
 * @param filters class names of filters by consumer group
 */
record TopicSection(Map<TopicKey, String> values, Map<String, String> filters) {
    private static final String CHOOSE_ANOTHER =
            "choose a directory in which the broker may make others";

    TopicSection {
        values = Map.copyOf(values);
        filters = Map.copyOf(filters);
    }

    /** All topics: {@code defaults} hold for those without a section, and for keys not set. */
    static TopicCatalog catalog(TopicSettings defaults, Map<String, TopicSection> sections) {
        Map<String, TopicSettings> settings = new LinkedHashMap<>();
        sections.forEach((name, section) -> settings.put(name, section.over(defaults)));
        return new TopicCatalog(defaults, settings);
    }

    /** The settings of a topic: what is set here, else what stands in {@code base}. */
    TopicSettings over(TopicSettings base) {
        String policy = values.get(TopicKey.DELETE_POLICY);
        return new TopicSettings(
                Math.toIntExact(
                        number(TopicKey.NUM_PARTITIONS, base, TopicSettings::numPartitions)),
                flag(TopicKey.ACCEPT_PUBLISH, base.acceptPublish()),
                flag(TopicKey.ACCEPT_SUBSCRIBE, base.acceptSubscribe()),
                flag(TopicKey.STAT, base.stat()),
                policy == null
                        ? base.deletePolicy()
                        : TopicKey.DELETE_POLICY.spec().deletePolicy(policy),
                values.getOrDefault(TopicKey.DELETE_WHEN, base.deleteWhen()),
                number(TopicKey.MAX_PARTITION_SIZE, base, TopicSettings::maxPartitionBytes),
                flag(TopicKey.DELETE_UNCONSUMED, base.deletesUnconsumed()),
                unflushThreshold(base),
                number(TopicKey.UNFLUSH_INTERVAL, base, TopicSettings::unflushIntervalMs),
                dataPath(),
                redelivery(base.redelivery()),
                values.getOrDefault(TopicKey.EXPIRY_QUEUE, base.expiryQueue()),
                filters);
    }

    private RedeliveryPolicy redelivery(RedeliveryPolicy base) {
        Map<String, String> options = new LinkedHashMap<>();
        values.forEach(
                (key, value) -> {
                    if (key.isRedelivery()) {
                        options.put(key.spec().name(), value);
                    }
                });
        return base.with(options);
    }

    private long number(TopicKey key, TopicSettings base, ToLongFunction<TopicSettings> inherited) {
        @Nullable String text = values.get(key);
        return text == null ? inherited.applyAsLong(base) : key.spec().number(text);
    }

    private boolean flag(TopicKey key, boolean inherited) {
        @Nullable String text = values.get(key);
        return text == null ? inherited : key.spec().flag(text);
    }

    /** MetaQ takes 0 and less for the same. */
    private int unflushThreshold(TopicSettings base) {
        long threshold = number(TopicKey.UNFLUSH_THRESHOLD, base, TopicSettings::unflushThreshold);
        return Math.toIntExact(Math.max(0, threshold));
    }

    /** Made and looked at now: a partition that cannot be made later would be the broker's end. */
    private String dataPath() {
        String text = values.getOrDefault(TopicKey.DATA_PATH, "");
        if (text.isEmpty()) {
            return "";
        }
        Path path = HomePath.of(text).toAbsolutePath();
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new ConfigException(
                    "dataPath = " + text + " cannot be made: " + e + "; " + CHOOSE_ANOTHER, e);
        }
        if (!Files.isWritable(path)) {
            throw new ConfigException(
                    "dataPath = " + text + " must not be written to; " + CHOOSE_ANOTHER);
        }
        return path.toString();
    }

    /** Names of keys with other values than in {@code other}, in alphabetical order. */
    TreeSet<String> differences(TopicSection other) {
        TreeSet<String> names = new TreeSet<>();
        for (TopicKey key : TopicKey.values()) {
            String before = values.get(key);
            if (before == null
                    ? other.values.containsKey(key)
                    : !before.equals(other.values.get(key))) {
                names.add(key.spec().name());
            }
        }
        for (String group : filters.keySet()) {
            if (!filters.get(group).equals(other.filters.get(group))) {
                names.add("group." + group);
            }
        }
        for (String group : other.filters.keySet()) {
            if (!filters.containsKey(group)) {
                names.add("group." + group);
            }
        }
        return names;
    }
}
