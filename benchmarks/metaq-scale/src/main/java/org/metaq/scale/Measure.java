package org.metaq.scale;

import java.util.Locale;
import java.util.Optional;

/**
 * One figure of a scenario. Immutable.
 *
 * @param name what was measured, without tabs
 * @param unit of the value, without tabs; may be empty
 * @param bound what {@code limit} is
 * @param limit without meaning if there is no bound
 */
record Measure(String name, double value, String unit, Bound bound, double limit) {
    private static final String MARK = "measure";
    private static final int FIELDS = 6;

    /** What a value must keep to. */
    enum Bound {
        /** Nothing: it is for information. */
        NONE,
        /** At most the limit. */
        AT_MOST,
        /** At least the limit. */
        AT_LEAST
    }

    /** Whether the value keeps to its bound. */
    boolean isMet() {
        return switch (bound) {
            case NONE -> true;
            case AT_MOST -> value <= limit;
            case AT_LEAST -> value >= limit;
        };
    }

    /** As it goes from a scenario's process to its parent. */
    String toLine() {
        return String.join(
                "\t",
                MARK,
                name,
                Double.toString(value),
                unit,
                bound.name(),
                Double.toString(limit));
    }

    /** The measure of a line; empty if it is a line of another kind. */
    static Optional<Measure> ofLine(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS || !fields[0].equals(MARK)) {
            return Optional.empty();
        }
        return Optional.of(
                new Measure(
                        fields[1],
                        Double.parseDouble(fields[2]),
                        fields[3],
                        Bound.valueOf(fields[4]),
                        Double.parseDouble(fields[5])));
    }

    /** The limit in words; empty if there is none. */
    String limitText() {
        return switch (bound) {
            case NONE -> "";
            case AT_MOST -> "<= " + shown(limit);
            case AT_LEAST -> ">= " + shown(limit);
        };
    }

    /** The value with its unit. */
    String valueText() {
        return shown(value) + (unit.isEmpty() ? "" : " " + unit);
    }

    private static String shown(double number) {
        return String.format(Locale.ROOT, Math.abs(number) < 100 ? "%.2f" : "%,.0f", number);
    }
}
