package org.metaq.server.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a new reading of {@code server.ini} changes for a broker that runs. Immutable.
 *
 * @param topics what is done at once, a line per topic section
 * @param restart keys that wait for a restart, as {@code [section] key}
 */
public record ConfigChange(List<String> topics, List<String> restart) {
    /** Copies both lists. */
    public ConfigChange {
        topics = List.copyOf(topics);
        restart = List.copyOf(restart);
    }

    /**
     * Compares.
     *
     * @param started the file that the broker was started with
     * @param current the file whose topic sections hold now
     * @param next the file as it is
     * @param autoCreate whether topics without a section are served
     */
    public static ConfigChange of(
            ConfigFile started, ConfigFile current, ConfigFile next, boolean autoCreate) {
        return new ConfigChange(topics(current, next, autoCreate), restart(started, next));
    }

    private static List<String> topics(ConfigFile current, ConfigFile next, boolean autoCreate) {
        List<String> lines = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>(next.topics().keySet());
        names.addAll(current.topics().keySet());
        for (String name : names) {
            TopicSection before = current.topics().get(name);
            TopicSection after = next.topics().get(name);
            if (before == null) {
                lines.add("topic " + name + ": added");
            } else if (after == null) {
                lines.add(
                        "topic "
                                + name
                                + ": removed; its data stays, "
                                + (autoCreate
                                        ? "and [system] or another section holds"
                                        : "and no client may use it unless another section matches:"
                                                + " autoCreateDestinations = false"));
            } else if (!before.equals(after)) {
                lines.add(
                        "topic "
                                + name
                                + ": changed "
                                + String.join(", ", before.differences(after)));
            }
        }
        boolean isOrderOther =
                !List.copyOf(current.topics().keySet()).equals(List.copyOf(next.topics().keySet()));
        if (lines.isEmpty() && isOrderOther) {
            lines.add("topics: the order of their sections changed");
        }
        return lines;
    }

    private static List<String> restart(ConfigFile started, ConfigFile next) {
        List<String> keys = new ArrayList<>();
        for (ConfigKey key : ConfigKey.values()) {
            String standard = key.spec().defaultValue();
            if (!started.system()
                    .getOrDefault(key, standard)
                    .equals(next.system().getOrDefault(key, standard))) {
                keys.add("[system] " + key.spec().name());
            }
        }
        if (started.hasZooKeeper() != next.hasZooKeeper()) {
            keys.add("[zookeeper]");
        }
        for (ZooKeeperKey key : ZooKeeperKey.values()) {
            String standard = key.spec().defaultValue();
            if (!started.zookeeper()
                    .getOrDefault(key, standard)
                    .equals(next.zookeeper().getOrDefault(key, standard))) {
                keys.add("[zookeeper] " + key.spec().name());
            }
        }
        return keys;
    }

    /** For a human, a line per fact. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(topics);
        if (!restart.isEmpty()) {
            lines.add("needs a restart: " + String.join(", ", restart));
        }
        return lines;
    }
}
