package org.metaq.protocol;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a subscription starts to read.
 *
 * @param kind how {@code value} is meant
 * @param partition of an {@code OFFSET}: the one that starts there, all others at their earliest
 *     message; else 0
 * @param value ms since 1970 of a {@code TIME}, byte offset of an {@code OFFSET}; else 0
 */
public record StartPosition(Kind kind, int partition, long value) {
    /** Kinds of positions. */
    public enum Kind {
        /** The first message that is still there. */
        EARLIEST,
        /** Behind the last message. */
        LATEST,
        /** The first message that was stored at a time or later. */
        TIME,
        /** The message that begins at a byte offset, or the first behind it. */
        OFFSET
    }

    /** The first message that is still there. */
    public static final StartPosition EARLIEST = new StartPosition(Kind.EARLIEST, 0, 0);

    /** Behind the last message. */
    public static final StartPosition LATEST = new StartPosition(Kind.LATEST, 0, 0);

    /** Checks the ranges. */
    public StartPosition {
        if (partition < 0 || value < 0) {
            throw new IllegalArgumentException(
                    "a start position with partition " + partition + " and value " + value);
        }
    }

    /** The first message that was stored at this time or later, ms since 1970. */
    public static StartPosition time(long timestampMs) {
        return new StartPosition(Kind.TIME, 0, timestampMs);
    }

    /** The message of a partition that begins at a byte offset, or the first behind it. */
    public static StartPosition offset(int partition, long offset) {
        return new StartPosition(Kind.OFFSET, partition, offset);
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException if it is no position
     */
    public static StartPosition parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 1 && text.equals(EARLIEST.toString())) {
                return EARLIEST;
            } else if (parts.length == 1 && text.equals(LATEST.toString())) {
                return LATEST;
            } else if (parts.length == 2 && parts[0].equals("time")) {
                return time(Long.parseLong(parts[1]));
            } else if (parts.length == 3 && parts[0].equals("offset")) {
                return offset(Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
            }
        } catch (NumberFormatException e) {
            throw notOne(text, e);
        }
        throw notOne(text, null);
    }

    private static IllegalArgumentException notOne(
            String text, @Nullable NumberFormatException cause) {
        return new IllegalArgumentException(
                "'"
                        + text
                        + "' is no start position; it is earliest, latest, time:<ms since 1970> or"
                        + " offset:<partition>:<bytes>",
                cause);
    }

    /** {@code earliest}, {@code latest}, {@code time:<ms>}, {@code offset:<partition>:<bytes>}. */
    @Override
    public String toString() {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return switch (kind) {
            case EARLIEST, LATEST -> name;
            case TIME -> name + ":" + value;
            case OFFSET -> name + ":" + partition + ":" + value;
        };
    }
}
