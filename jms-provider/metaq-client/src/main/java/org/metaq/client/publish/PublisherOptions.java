package org.metaq.client.publish;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * How a publisher sends. Immutable; start from {@link #DEFAULTS}.
 *
 * @param selector chooses partitions; round robin by default
 * @param sendTimeoutMs longest wait of a synchronous send for its reply, and of any send for room,
 *     &gt;= 1; 10 s by default
 * @param inFlightBytesMax most bytes of messages without a reply, &gt;= 1; one larger message still
 *     goes alone; 8 MiB by default
 * @param inFlightCountMax most messages without a reply, &gt;= 1; 10,000 by default
 * @param whenFull what a send does beyond these two
 * @param completions runs what depends on asynchronous sends; the common pool by default
 */
public record PublisherOptions(
        PartitionSelector selector,
        long sendTimeoutMs,
        long inFlightBytesMax,
        int inFlightCountMax,
        WhenFull whenFull,
        Executor completions) {
    /** What is said above. */
    public static final PublisherOptions DEFAULTS =
            new PublisherOptions(
                    PartitionSelector.roundRobin(),
                    10_000,
                    8 * 1024 * 1024,
                    10_000,
                    WhenFull.BLOCK,
                    ForkJoinPool.commonPool());

    /** What a send does while too much is under way. */
    public enum WhenFull {
        /** Waits up to the send time-out for room, then fails. */
        BLOCK,
        /** Fails at once. */
        FAIL
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public PublisherOptions {
        checkPositive("sendTimeoutMs", sendTimeoutMs);
        checkPositive("inFlightBytesMax", inFlightBytesMax);
        checkPositive("inFlightCountMax", inFlightCountMax);
    }

    private static void checkPositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be >= 1, not " + value);
        }
    }

    /** The same with another selector. */
    public PublisherOptions withSelector(PartitionSelector value) {
        return new PublisherOptions(
                value, sendTimeoutMs, inFlightBytesMax, inFlightCountMax, whenFull, completions);
    }

    /** The same with another time-out. */
    public PublisherOptions withSendTimeoutMs(long value) {
        return new PublisherOptions(
                selector, value, inFlightBytesMax, inFlightCountMax, whenFull, completions);
    }

    /** The same with other bounds of what is under way. */
    public PublisherOptions withInFlightMax(int count, long bytes, WhenFull reaction) {
        return new PublisherOptions(selector, sendTimeoutMs, bytes, count, reaction, completions);
    }

    /** The same with another executor. */
    public PublisherOptions withCompletions(Executor value) {
        return new PublisherOptions(
                selector, sendTimeoutMs, inFlightBytesMax, inFlightCountMax, whenFull, value);
    }
}
