package org.metaq.bench;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * One workload in one round. Immutable.
 *
 * @param name of the workload, or of a part of it
 * @param values what was measured; what could not be is not there
 */
record Measurement(String name, Map<Metric, Double> values) {
    Measurement {
        values = Map.copyOf(values);
    }

    /** A value, or NaN if it was not measured. */
    double value(Metric metric) {
        return values.getOrDefault(metric, Double.NaN);
    }

    /** This with more values, or others. */
    Measurement with(Map<Metric, Double> more) {
        Map<Metric, Double> all = new EnumMap<>(Metric.class);
        all.putAll(values);
        all.putAll(more);
        return new Measurement(name, all);
    }

    /** True if all that was sent was received once. */
    boolean isComplete() {
        return value(Metric.LOST) == 0 && value(Metric.DOUBLED) == 0;
    }

    /** As one line of {@code key=value} for {@link #parse}. */
    String toLine() {
        StringBuilder line = new StringBuilder(name);
        new EnumMap<>(values)
                .forEach(
                        (metric, value) ->
                                line.append(
                                        String.format(
                                                Locale.ROOT, " %s=%.4f", metric.key(), value)));
        return line.toString();
    }

    /**
     * Reads what {@link #toLine} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Measurement parse(String line) {
        String[] words = line.split(" ", -1);
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("not key=value: " + words[i]);
            }
            values.put(
                    Metric.named(words[i].substring(0, equals)),
                    Double.valueOf(words[i].substring(equals + 1)));
        }
        return new Measurement(words[0], values);
    }
}
