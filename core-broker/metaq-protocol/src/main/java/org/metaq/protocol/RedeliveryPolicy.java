package org.metaq.protocol;

import java.util.Map;

/**
 * What becomes of messages that were delivered and came back.
 *
 * @param maxDeliveries after so many deliveries a message that comes back is a dead letter; 0: no
 *     limit
 * @param delayMs before the second delivery; 0: at once
 * @param backOff what the delay is multiplied with for each further delivery, &gt;= 1
 * @param maxDelayMs no delay that the back-off makes is longer
 * @param strictOrder whether the messages behind it in its message group ({@code JMSXGroupID}) wait
 *     for a message that waits for its delay
 * @param deadLetter name of the queue that dead letters go to; empty: they are dropped
 */
public record RedeliveryPolicy(
        int maxDeliveries,
        long delayMs,
        double backOff,
        long maxDelayMs,
        boolean strictOrder,
        String deadLetter) {
    /** Key of {@code maxDeliveries} on the wire, in URIs and in configuration files. */
    public static final String MAX_DELIVERIES = "maxDeliveries";

    /** Key of {@code delayMs}. */
    public static final String DELAY = "redeliveryDelay";

    /** Key of {@code backOff}. */
    public static final String BACK_OFF = "redeliveryBackOff";

    /** Key of {@code maxDelayMs}. */
    public static final String MAX_DELAY = "maxRedeliveryDelay";

    /** Key of {@code strictOrder}. */
    public static final String STRICT_ORDER = "strictOrder";

    /** Key of {@code deadLetter}. */
    public static final String DEAD_LETTER = "deadLetter";

    /** Where dead letters go unless it is said otherwise. */
    public static final String DEFAULT_DEAD_LETTER = "DLQ";

    /** Longest delay there is, about a year. */
    public static final long DELAY_MAX_MS = 365L * 24 * 3600 * 1000;

    /** No limit, no delay; {@link #DEFAULT_DEAD_LETTER} for who sets a limit. */
    public static final RedeliveryPolicy DEFAULT =
            new RedeliveryPolicy(0, 0, 1.0, 60_000, false, DEFAULT_DEAD_LETTER);

    /** Checks the ranges. */
    public RedeliveryPolicy {
        check(MAX_DELIVERIES, maxDeliveries, 0, Integer.MAX_VALUE);
        check(DELAY, delayMs, 0, DELAY_MAX_MS);
        check(MAX_DELAY, maxDelayMs, 0, DELAY_MAX_MS);
        if (!(backOff >= 1 && backOff <= 1000)) {
            throw new IllegalArgumentException(
                    BACK_OFF + " is " + backOff + "; it must be 1 to 1000");
        }
    }

    private static void check(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    key + " is " + value + "; it must be " + min + " to " + max);
        }
    }

    /**
     * How long a message waits before it is delivered again.
     *
     * @param deliveries how often it was delivered, &gt;= 1
     * @return ms, &gt;= 0
     */
    public long delayMs(int deliveries) {
        double delay = delayMs * Math.pow(backOff, deliveries - 1.0);
        return (long) Math.min(delay, (double) Math.max(maxDelayMs, delayMs));
    }

    /** True if a message that comes back after so many deliveries is a dead letter. */
    public boolean isExhausted(int deliveries) {
        return maxDeliveries > 0 && deliveries >= maxDeliveries;
    }

    /**
     * This policy with some of its values replaced.
     *
     * @param options by key; others than those of a policy are ignored
     * @throws IllegalArgumentException if a value is not valid; the text names the key
     */
    public RedeliveryPolicy with(Map<String, String> options) {
        return new RedeliveryPolicy(
                (int) number(options, MAX_DELIVERIES, maxDeliveries, Integer.MAX_VALUE),
                number(options, DELAY, delayMs, DELAY_MAX_MS),
                decimal(options, BACK_OFF, backOff),
                number(options, MAX_DELAY, maxDelayMs, DELAY_MAX_MS),
                bool(options, STRICT_ORDER, strictOrder),
                options.getOrDefault(DEAD_LETTER, deadLetter));
    }

    private static long number(Map<String, String> options, String key, long old, long max) {
        String text = options.get(key);
        if (text == null) {
            return old;
        }
        try {
            long value = Long.parseLong(text.trim());
            check(key, value, 0, max);
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    key + " is '" + text + "'; it must be a number, 0 to " + max, e);
        }
    }

    private static double decimal(Map<String, String> options, String key, double old) {
        String text = options.get(key);
        try {
            return text == null ? old : Double.parseDouble(text.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    key + " is '" + text + "'; it must be a number, 1 to 1000", e);
        }
    }

    private static boolean bool(Map<String, String> options, String key, boolean old) {
        String text = options.get(key);
        if (text == null) {
            return old;
        }
        return switch (text.trim()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            key + " is '" + text + "'; it must be true or false");
        };
    }
}
