package org.metaq.broker;

/**
 * When old segments are looked for. Behind an interface, so that the broker reads no calendar and
 * no time zone of its own: the server evaluates cron expressions, tests count.
 */
public interface RetentionTimes {
    /**
     * The first time later than {@code afterMs} at which a {@code deleteWhen} is due.
     *
     * @param deleteWhen Quartz cron expression of a topic
     * @param afterMs ms since 1970
     * @return ms since 1970; {@code Long.MAX_VALUE}: never again
     */
    long nextMs(String deleteWhen, long afterMs);

    /** Time between two looks at sizes and at queues, ms, &gt;= 1. */
    default long lookIntervalMs() {
        return 60_000;
    }
}
