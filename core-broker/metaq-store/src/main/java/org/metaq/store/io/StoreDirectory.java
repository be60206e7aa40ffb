package org.metaq.store.io;

import java.util.List;
import org.metaq.store.StoreException;

/**
 * A directory tree. Paths are relative to its root, with {@code /} between parts; none starts with
 * one. Every method throws {@link StoreException} when the disk does. Thread-safe.
 */
public interface StoreDirectory {
    /** Opens a file for reading and writing; creates it, empty, if it is not there. */
    StoreFile open(String path);

    /** True if a file or directory of this path exists. */
    boolean exists(String path);

    /** Length of a file in bytes; -1 if there is none of this path. */
    default long length(String path) {
        if (!exists(path)) {
            return -1;
        }
        try (StoreFile file = open(path)) {
            return file.length();
        }
    }

    /** Names of the entries of a directory, sorted; empty if there is no such directory. */
    List<String> list(String path);

    /** Creates a directory and its parents; nothing happens if it exists. */
    void createDirectories(String path);

    /**
     * Moves a file over another, atomically. Durable only after {@link #forceDirectory} of both.
     */
    void rename(String from, String to);

    /** Deletes a file, or a directory with all in it; nothing happens if it does not exist. */
    void delete(String path);

    /** Makes creations, renames and deletions in a directory durable. */
    void forceDirectory(String path);

    /** Free bytes that this process may use. */
    long usableBytes();

    /** Where this is, for messages. */
    String description();
}
