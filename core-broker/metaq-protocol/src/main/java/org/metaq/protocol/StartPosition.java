package org.metaq.protocol;

import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Locale;

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
     * Reads what {@link #toString} wrote; also {@code offset:<bytes>} of partition 0, and a time in
     * the form of ISO 8601 with a zone or offset, {@code 2026-11-01T00:00:00Z}.
     *
     * @throws IllegalArgumentException if it is no position
     */
    public static StartPosition parse(String text) {
        if (text.equals(EARLIEST.toString())) {
            return EARLIEST;
        } else if (text.equals(LATEST.toString())) {
            return LATEST;
        }
        String[] parts = text.split(":", -1);
        try {
            if (parts[0].equals("time") && parts.length == 2) {
                return time(Long.parseLong(parts[1]));
            } else if (parts[0].equals("offset") && parts.length == 2) {
                return offset(0, Long.parseLong(parts[1]));
            } else if (parts[0].equals("offset") && parts.length == 3) {
                return offset(Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
            }
            return time(OffsetDateTime.parse(text).toInstant().toEpochMilli());
        } catch (NumberFormatException | DateTimeParseException | ArithmeticException e) {
            throw notOne(text, e);
        }
    }

    private static IllegalArgumentException notOne(String text, Exception cause) {
        return new IllegalArgumentException(
                "'"
                        + text
                        + "' is no start position; it is earliest, latest, a time such as"
                        + " 2026-11-01T00:00:00Z or time:<ms since 1970>, or"
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
