package org.metaq.store;

import org.jspecify.annotations.Nullable;

/**
 * The disk failed, or what is on it is not what was written. Whoever gets one on the write path
 * must stop the broker rather than go on: what reached the disk is not known.
 */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Kind {
        /** The operating system reported an error. */
        IO,
        /** No space left. */
        DISK_FULL,
        /**
         * Bytes that were promised durable are damaged or missing: refuse to start, do not guess.
         */
        CORRUPT,
        /** Another process uses the directory. */
        LOCKED,
        /** A newer release wrote the file. */
        VERSION
    }

    private final Kind kind;

    /** With what failed, on which file, and what to do. */
    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** With the cause as well. */
    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Why it was thrown. */
    public Kind kind() {
        return kind;
    }
}
