package org.metaq.client.cluster;

import java.util.Comparator;

/**
 * A partition of a topic in the whole cluster: MetaQ's {@code brokerId-number}. Ordered by broker,
 * then number. Immutable.
 *
 * @param brokerId 0..1024
 * @param number on that broker, 0 or more
 */
public record Partition(int brokerId, int number) implements Comparable<Partition> {
    private static final Comparator<Partition> ORDER =
            Comparator.comparingInt(Partition::brokerId).thenComparingInt(Partition::number);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public Partition {
        if (brokerId < 0 || number < 0) {
            throw new IllegalArgumentException("no partition: " + brokerId + '-' + number);
        }
    }

    /**
     * Reads {@code brokerId-number}.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static Partition parse(String text) {
        int dash = text.indexOf('-');
        try {
            return new Partition(
                    Integer.parseInt(text.substring(0, Math.max(0, dash))),
                    Integer.parseInt(text.substring(dash + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no partition: '" + text + "'", e);
        }
    }

    @Override
    public int compareTo(Partition other) {
        return ORDER.compare(this, other);
    }

    /** {@code brokerId-number}. */
    @Override
    public String toString() {
        return brokerId + "-" + number;
    }
}
