package org.metaq.broker;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What happens to closed segments of a partition log that are old enough: MetaQ's {@code
 * deletePolicy}.
 *
 * @param action what happens to them
 * @param ageMs time since their last message after which it happens, &gt;= 0
 */
public record DeletePolicy(Action action, long ageMs) {
    /** What happens to an old segment. */
    public enum Action {
        /** It stays. */
        KEEP(0),
        /** It is deleted. */
        DELETE(1),
        /** It is renamed to {@code .arc}, and no longer served. */
        ARCHIVE(2),
        /** It is packed into a {@code .zip}, and no longer served. */
        ZIP(3);

        private final int code;

        Action(int code) {
            this.code = code;
        }

        /** Number in records. */
        int code() {
            return code;
        }
    }

    /** Nothing is ever deleted for its age. */
    public static final DeletePolicy KEEP = new DeletePolicy(Action.KEEP, 0);

    /** Checks the age. */
    public DeletePolicy {
        if (ageMs < 0) {
            throw new IllegalArgumentException("the age of a deletePolicy is negative: " + ageMs);
        }
    }

    /**
     * Reads {@code delete,<time>}, {@code archive,<time>} or {@code archive,<time>,true} (zip); the
     * time is a number with the unit {@code s}, {@code m} or {@code h}, without one hours. Empty:
     * {@link #KEEP}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static DeletePolicy parse(String text) {
        if (text.isBlank()) {
            return KEEP;
        }
        String[] parts = text.split(",", -1);
        String name = parts[0].trim().toLowerCase(Locale.ROOT);
        if (name.equals("delete") && parts.length == 2) {
            return new DeletePolicy(Action.DELETE, ageMs(text, parts[1].trim()));
        }
        if (name.equals("archive") && (parts.length == 2 || parts.length == 3)) {
            boolean zips = parts.length == 3 && zips(text, parts[2].trim());
            return new DeletePolicy(
                    zips ? Action.ZIP : Action.ARCHIVE, ageMs(text, parts[1].trim()));
        }
        throw invalid(text);
    }

    private static boolean zips(String text, String flag) {
        return switch (flag.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(text);
        };
    }

    private static long ageMs(String text, String time) {
        if (time.isEmpty()) {
            throw invalid(text);
        }
        char last = time.charAt(time.length() - 1);
        TimeUnit unit =
                switch (last) {
                    case 's' -> TimeUnit.SECONDS;
                    case 'm' -> TimeUnit.MINUTES;
                    default -> TimeUnit.HOURS;
                };
        boolean hasUnit = last == 's' || last == 'm' || last == 'h';
        String number = hasUnit ? time.substring(0, time.length() - 1) : time;
        try {
            return unit.toMillis(Long.parseUnsignedLong(number));
        } catch (NumberFormatException e) {
            IllegalArgumentException invalid = invalid(text);
            invalid.initCause(e);
            throw invalid;
        }
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(
                "deletePolicy '"
                        + text
                        + "' is not one of: delete,<time>; archive,<time>; archive,<time>,true;"
                        + " the time is a number with s, m or h behind it (none: hours)");
    }
}
