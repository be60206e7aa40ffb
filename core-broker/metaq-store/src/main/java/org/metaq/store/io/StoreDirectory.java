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
     * Creates a directory that is reached by its path and lies in another place, perhaps on another
     * disk; nothing happens if there is one of this path, wherever it lies. Durable on return. Such
     * a directory is never deleted, only emptied. This default is for implementations that have one
     * place only: it creates the directory there.
     *
     * @param place path of a directory of the machine; created if it is not there
     */
    default void createDirectoryAt(String path, String place) {
        createDirectories(path);
        int slash = path.lastIndexOf('/');
        forceDirectory(slash < 0 ? "" : path.substring(0, slash));
    }

    /**
     * Moves a file over another, atomically. Durable only after {@link #forceDirectory} of both.
     */
    void rename(String from, String to);

    /**
     * Deletes a file, or a directory with all in it; nothing happens if it does not exist. A
     * directory of {@link #createDirectoryAt} stays, empty.
     */
    void delete(String path);

    /** Makes creations, renames and deletions in a directory durable. */
    void forceDirectory(String path);

    /**
     * How many files are best forced at the same time, each by a thread of its own; 1: one after
     * the other. A disk's file system makes many that are forced together durable with few writes.
     */
    default int forcesAtOnce() {
        return 1;
    }

    /** Free bytes that this process may use, on the fullest disk that it is told to use. */
    long usableBytes();

    /** Where this is, for messages. */
    String description();
}
