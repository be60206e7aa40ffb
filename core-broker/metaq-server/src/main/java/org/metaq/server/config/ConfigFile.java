package org.metaq.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.metaq.broker.TopicCatalog;
import org.metaq.broker.TopicSettings;

/**
 * What {@code server.ini} says, each value checked by itself; {@link ServerConfig.Builder#file}
 * adds the defaults and checks what values mean to each other. Immutable.
 */
public final class ConfigFile {
    private final Path path;
    private final byte[] bytes;
    private final Map<ConfigKey, String> system;
    private final Map<ZooKeeperKey, String> zookeeper;
    private final boolean hasZooKeeper;
    private final Map<String, TopicSection> topics;
    private final List<String> notes;

    ConfigFile(Path path, byte[] bytes, IniReader content) {
        this.path = path;
        this.bytes = bytes;
        this.system = Collections.unmodifiableMap(new EnumMap<>(content.system()));
        this.zookeeper = Collections.unmodifiableMap(new EnumMap<>(content.zookeeper()));
        this.hasZooKeeper = content.hasZooKeeper();
        this.topics = Collections.unmodifiableMap(new LinkedHashMap<>(content.topics()));
        this.notes = List.copyOf(content.notes());
    }

    /**
     * Reads a file.
     *
     * @throws ConfigException if it cannot be read, or holds an unknown section or key, a value
     *     that is not valid, or a key twice; the message names file, key and what to do
     */
    public static ConfigFile read(Path path) {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(path);
        } catch (IOException e) {
            throw new ConfigException("cannot read " + path + ": " + e, e);
        }
        try {
            return new ConfigFile(path, bytes, IniReader.read(bytes));
        } catch (ConfigException e) {
            throw new ConfigException(path + ": " + e.getMessage(), e);
        }
    }

    /** Where it was read from. */
    public Path path() {
        return path;
    }

    /** The file as it was; what is not UTF-8 in it is replaced. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** CRC-32 of the bytes, 0..2^32-1: what MetaQ's slaves compare. */
    public long checksum() {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    /** Keys of {@code [system]} that are set. */
    Map<ConfigKey, String> system() {
        return system;
    }

    /** Keys of {@code [zookeeper]} that are set. */
    Map<ZooKeeperKey, String> zookeeper() {
        return zookeeper;
    }

    /** True if there is a {@code [zookeeper]} section. */
    boolean hasZooKeeper() {
        return hasZooKeeper;
    }

    /** The topic sections by name, in the order of the file. */
    Map<String, TopicSection> topics() {
        return topics;
    }

    /** All topics; {@code defaults} hold where the topic sections say nothing. */
    public TopicCatalog catalog(TopicSettings defaults) {
        return TopicSection.catalog(defaults, topics);
    }

    /** What was accepted without effect, a sentence each, for the log. */
    public List<String> notes() {
        return notes;
    }
}
