package org.metaq.server;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.INIConfiguration;
import org.apache.commons.configuration2.SubnodeConfiguration;
import org.apache.commons.configuration2.ex.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code server.ini}. Keys of MetaQ that this release does not act on are accepted with the
 * value that changes nothing, and refused with any other; unknown keys are refused.
 */
final class ConfigFile {
    private static final String SYSTEM = "system";
    private static final String ZOOKEEPER = "zookeeper";
    private static final String TOPIC_PREFIX = "topic=";

    /** MetaQ's keys that come later, each with the value that asks for what is there today. */
    private static final Map<String, String> LATER =
            Map.ofEntries(
                    Map.entry("dashboardHttpPort", "8120"),
                    Map.entry("getProcessThreadCount", "*"),
                    Map.entry("putProcessThreadCount", "*"),
                    Map.entry("quartzThreadCount", "*"),
                    Map.entry("maxTxTimeoutTimerCapacity", "*"),
                    Map.entry("loadMessageStoresInParallel", "*"),
                    Map.entry("maxCheckpoints", "*"),
                    Map.entry("checkpointInterval", "*"),
                    Map.entry("deletePolicy", ""),
                    Map.entry("deleteWhen", "*"),
                    Map.entry("acceptPublish", "true"),
                    Map.entry("acceptSubscribe", "true"),
                    Map.entry("stat", "false"),
                    Map.entry("updateConsumerOffsets", "false"),
                    Map.entry("dataLogPath", ""),
                    Map.entry("appClassPath", ""));

    private final Path file;
    private final ServerConfig.Builder builder;
    private final List<String> notes = new ArrayList<>();

    private ConfigFile(Path file, ServerConfig.Builder builder) {
        this.file = file;
        this.builder = builder;
    }

    /**
     * Sets in {@code builder} what the file says.
     *
     * @return what was accepted without effect, a sentence each, for the log
     * @throws ConfigException if the file cannot be read or a key or value is not valid
     */
    static List<String> read(Path file, ServerConfig.Builder builder) {
        INIConfiguration ini = new INIConfiguration();
        try (Reader in = Files.newBufferedReader(file)) {
            ini.read(in);
        } catch (IOException | ConfigurationException e) {
            throw new ConfigException("cannot read " + file + ": " + e, e);
        }
        ConfigFile reader = new ConfigFile(file, builder);
        for (String section : ini.getSections()) {
            reader.readSection(section, ini);
        }
        return reader.notes;
    }

    // The library's interface has null for the section of keys before any section header.
    private void readSection(@Nullable String name, INIConfiguration ini) {
        SubnodeConfiguration section = ini.getSection(name);
        if (name == null) {
            throw new ConfigException(
                    file
                            + ": '"
                            + section.getKeys().next()
                            + "' stands before any [section];"
                            + " put it below [system]");
        } else if (name.equals(SYSTEM)) {
            forEach(section, this::readSystemKey);
        } else if (name.equals(ZOOKEEPER)) {
            readZookeeper(section);
        } else if (name.startsWith(TOPIC_PREFIX)) {
            forEach(section, (key, value) -> refuseTopicKey(name, key));
            notes.add("[" + name + "] has no keys: the topic is created when it is first used");
        } else {
            throw new ConfigException(
                    file
                            + ": unknown section ["
                            + name
                            + "]; known are [system], [zookeeper] and"
                            + " [topic=NAME]");
        }
    }

    private interface Entry {
        void read(String key, String value);
    }

    private void forEach(SubnodeConfiguration section, Entry action) {
        for (Iterator<String> keys = section.getKeys(); keys.hasNext(); ) {
            String key = keys.next();
            List<Object> values = section.getList(key);
            if (values.size() > 1) {
                throw new ConfigException(file + ": '" + key + "' is set more than once");
            }
            // a dot in a key is doubled by the library
            action.read(key.replace("..", "."), String.valueOf(values.get(0)).trim());
        }
    }

    private void readSystemKey(String key, String value) {
        ConfigKey known = ConfigKey.ofKey(key);
        if (known != null) {
            try {
                builder.set(known, value);
            } catch (ConfigException e) {
                throw new ConfigException(file + ": " + e.getMessage(), e);
            }
            return;
        }
        String harmless = LATER.get(key);
        if (harmless == null) {
            throw new ConfigException(
                    file
                            + ": unknown key '"
                            + key
                            + "' in [system]; did you mean '"
                            + nearest(key)
                            + "'?");
        }
        if (!harmless.equals("*") && !harmless.equals(value) && !value.isEmpty()) {
            throw new ConfigException(
                    file
                            + ": "
                            + key
                            + " = "
                            + value
                            + " is not supported yet; "
                            + (harmless.isEmpty()
                                    ? "remove it"
                                    : "remove it or set it to " + harmless));
        }
        notes.add(key + " = " + value + " has no effect");
    }

    private void readZookeeper(SubnodeConfiguration section) {
        String[] enabled = {"true"};
        forEach(
                section,
                (key, value) -> {
                    if (key.equals("zk.zkEnable")) {
                        enabled[0] = value;
                    }
                });
        if (!enabled[0].equals("false")) {
            throw new ConfigException(
                    file
                            + ": [zookeeper] is not supported yet: the broker runs alone; remove the"
                            + " section or set zk.zkEnable = false");
        }
        notes.add("[zookeeper] is switched off");
    }

    private void refuseTopicKey(String section, String key) {
        throw new ConfigException(
                file
                        + ": '"
                        + key
                        + "' in ["
                        + section
                        + "] is not supported yet; remove it, the"
                        + " topic then has the values of [system]");
    }

    /** The known key with the fewest differing letters. */
    static String nearest(String key) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (ConfigKey candidate : ConfigKey.values()) {
            int distance = distance(key, candidate.key());
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate.key();
            }
        }
        return best;
    }

    /** Levenshtein's distance, upper and lower case being the same. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same =
                        Character.toLowerCase(a.charAt(i - 1))
                                == Character.toLowerCase(b.charAt(j - 1));
                current[j] =
                        Math.min(
                                Math.min(current[j - 1], previous[j]) + 1,
                                previous[j - 1] + (same ? 0 : 1));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
