package org.metaq.store.io;

/**
 * A file and how much of it counts.
 *
 * @param path below the store's directory
 * @param length bytes from the start, &gt;= 0; what follows them is not part of it
 */
public record FileLength(String path, long length) {
    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public FileLength {
        if (length < 0) {
            throw new IllegalArgumentException("length of " + path + " is negative: " + length);
        }
    }
}
