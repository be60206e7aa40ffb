package org.metaq.server.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.commons.configuration2.INIConfiguration;
import org.apache.commons.configuration2.ex.ConfigurationException;
import org.apache.commons.configuration2.tree.ImmutableNode;
import org.metaq.common.PhysicalName;

/** Takes an INI file apart and checks each key. Confined to its thread. */
final class IniReader {
    private static final String SYSTEM = "system";
    private static final String ZOOKEEPER = "zookeeper";
    private static final String TOPIC_PREFIX = "topic=";
    private static final String GROUP_PREFIX = "group.";

    private static final Map<String, ConfigKey> SYSTEM_KEYS =
            byName(ConfigKey.values(), key -> key.spec().name());
    private static final Map<String, ZooKeeperKey> ZOOKEEPER_KEYS =
            byName(ZooKeeperKey.values(), key -> key.spec().name());
    private static final Map<String, TopicKey> TOPIC_KEYS =
            byName(TopicKey.values(), key -> key.spec().name());
    private static final Map<String, IgnoredKey> IGNORED_KEYS =
            byName(IgnoredKey.values(), IgnoredKey::key);

    private final Map<ConfigKey, String> system = new EnumMap<>(ConfigKey.class);
    private final Map<ZooKeeperKey, String> zookeeper = new EnumMap<>(ZooKeeperKey.class);
    private final Map<String, TopicSection> topics = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private boolean hasZooKeeper;

    private IniReader() {}

    private static <K> Map<String, K> byName(K[] keys, Function<K, String> name) {
        Map<String, K> byName = new LinkedHashMap<>();
        for (K key : keys) {
            byName.put(name.apply(key), key);
        }
        return byName;
    }

    /**
     * Reads a whole file.
     *
     * @throws ConfigException with section, key and value of the first thing that is wrong
     */
    static IniReader read(byte[] bytes) {
        INIConfiguration ini = new INIConfiguration();
        try {
            // what is not UTF-8 can only stand in a comment
            ini.read(new StringReader(new String(bytes, StandardCharsets.UTF_8)));
        } catch (IOException | ConfigurationException e) {
            throw new ConfigException("not an INI file: " + e.getMessage(), e);
        }
        IniReader reader = new IniReader();
        // its nodes hold names as they are; its keys would give dots and brackets a meaning
        for (ImmutableNode node : ini.getNodeModel().getInMemoryRepresentation().getChildren()) {
            if (node.getValue() != null) {
                throw new ConfigException(
                        "'"
                                + node.getNodeName()
                                + "' stands before any [section]; put it below [system]");
            }
            reader.readSection(node);
        }
        return reader;
    }

    private void readSection(ImmutableNode section) {
        String name = section.getNodeName();
        if (name.equals(SYSTEM)) {
            forEach(section, this::readSystemKey);
        } else if (name.equals(ZOOKEEPER)) {
            hasZooKeeper = true;
            forEach(section, this::readZooKeeperKey);
        } else if (name.startsWith(TOPIC_PREFIX)) {
            readTopic(section, name.substring(TOPIC_PREFIX.length()).trim());
        } else {
            throw new ConfigException(
                    "unknown section ["
                            + name
                            + "]; known are [system], [zookeeper] and [topic=NAME]");
        }
    }

    private interface Entry {
        void read(String key, String value);
    }

    private static void forEach(ImmutableNode section, Entry action) {
        Set<String> seen = new HashSet<>();
        for (ImmutableNode entry : section.getChildren()) {
            String key = entry.getNodeName();
            if (!seen.add(key)) {
                throw new ConfigException(
                        "'" + key + "' in [" + section.getNodeName() + "] is set more than once");
            }
            try {
                action.read(key, String.valueOf(entry.getValue()).trim());
            } catch (ConfigException e) {
                throw new ConfigException("[" + section.getNodeName() + "]: " + e.getMessage(), e);
            }
        }
    }

    private void readSystemKey(String key, String value) {
        IgnoredKey ignored = IGNORED_KEYS.get(key);
        if (ignored != null) {
            notes.add(key + " = " + value + " has no effect: " + ignored.because());
            return;
        }
        ConfigKey known = SYSTEM_KEYS.get(key);
        if (known == null) {
            Set<String> names = new LinkedHashSet<>(SYSTEM_KEYS.keySet());
            names.addAll(IGNORED_KEYS.keySet());
            throw unknown(key, names);
        }
        known.spec().check(value);
        system.put(known, value);
    }

    private void readZooKeeperKey(String key, String value) {
        ZooKeeperKey known = known(ZOOKEEPER_KEYS, key);
        known.spec().check(value);
        zookeeper.put(known, value);
    }

    private void readTopic(ImmutableNode section, String name) {
        checkName(name);
        Map<TopicKey, String> values = new EnumMap<>(TopicKey.class);
        Map<String, String> filters = new HashMap<>();
        forEach(
                section,
                (key, value) -> {
                    if (key.startsWith(GROUP_PREFIX)) {
                        String group = key.substring(GROUP_PREFIX.length());
                        checkFilter(key, group, value);
                        filters.put(group, value);
                    } else {
                        TopicKey known = known(TOPIC_KEYS, key);
                        known.spec().check(value);
                        values.put(known, value);
                    }
                });
        if (topics.put(name, new TopicSection(values, filters)) != null) {
            throw new ConfigException("[topic=" + name + "] stands there twice");
        }
    }

    private static void checkName(String name) {
        try {
            boolean isTemporary = PhysicalName.parse(name.replace('*', 'x')).kind().isTemporary();
            if (isTemporary) {
                throw new IllegalArgumentException("a temporary destination has no settings");
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "[topic=" + name + "] is no name of a topic: " + e.getMessage(), e);
        }
    }

    private static void checkFilter(String key, String group, String className) {
        if (group.isBlank() || className.isBlank()) {
            throw new ConfigException(
                    "'%s = %s' must be group.<consumerGroup> = <class of a filter>"
                            .formatted(key, className));
        }
    }

    private static <K> K known(Map<String, K> keys, String key) {
        K known = keys.get(key);
        if (known == null) {
            throw unknown(key, keys.keySet());
        }
        return known;
    }

    private static ConfigException unknown(String key, Set<String> names) {
        return new ConfigException(
                "unknown key '%s'; did you mean '%s'?".formatted(key, NearestName.of(key, names)));
    }

    Map<ConfigKey, String> system() {
        return system;
    }

    Map<ZooKeeperKey, String> zookeeper() {
        return zookeeper;
    }

    boolean hasZooKeeper() {
        return hasZooKeeper;
    }

    Map<String, TopicSection> topics() {
        return topics;
    }

    List<String> notes() {
        return notes;
    }
}
