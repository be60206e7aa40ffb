package org.metaq.client;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How a {@link ReconnectingConnection} comes back. Immutable.
 *
 * @param isEnabled false: a lost connection stays lost
 * @param delayMs pause before the second attempt, &gt;= 1; it doubles with each
 * @param maxDelayMs longest pause, &gt;= 1
 * @param timeoutMs time without a connection after which it is given up, &gt;= 1
 */
public record ReconnectPolicy(boolean isEnabled, long delayMs, long maxDelayMs, long timeoutMs) {
    /** A lost connection stays lost. */
    public static final ReconnectPolicy NONE = new ReconnectPolicy(false, 1, 1, 1);

    private static final int DOUBLINGS_MAX = 30;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public ReconnectPolicy {
        if (delayMs < 1 || maxDelayMs < 1 || timeoutMs < 1) {
            throw new IllegalArgumentException(
                    "delay, maxDelay and timeout must be >= 1 ms, not %d, %d, %d"
                            .formatted(delayMs, maxDelayMs, timeoutMs));
        }
    }

    /**
     * Pause behind so many failed attempts: somewhere between half and all of what doubling gives,
     * so that the clients of a broker that comes back do not all come at once.
     *
     * @param failures &gt;= 1
     */
    long pauseMs(int failures) {
        int doublings = Math.min(DOUBLINGS_MAX, failures - 1);
        long longest =
                Math.min(maxDelayMs, Math.min(delayMs, Long.MAX_VALUE >> doublings) << doublings);
        return longest - ThreadLocalRandom.current().nextLong(longest / 2 + 1);
    }
}
