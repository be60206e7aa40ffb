package org.metaq.broker;

/**
 * Message ids in MetaQ's form, {@code (ms - 1303895660503) << 22 | brokerId << 12 | number}, by the
 * wall clock and above every id given before, so that none is given twice. Confined to the writer
 * thread.
 */
final class MessageIds {
    private static final long ORIGIN_MS = 1_303_895_660_503L;
    private static final int TIME_SHIFT = 22;
    private static final int BROKER_SHIFT = 12;
    private static final int NUMBER_MAX = (1 << BROKER_SHIFT) - 1;

    private final int brokerId;
    private long lastMs;
    private int number;

    MessageIds(int brokerId) {
        this.brokerId = brokerId;
    }

    /** Goes on above an id that was given before. */
    void startAbove(long messageId) {
        lastMs = Math.max(lastMs, (messageId >> TIME_SHIFT) + 1);
        number = 0;
    }

    /** The first id of so much later, &gt; {@code id}. */
    static long later(long id, long ms) {
        return ((id >> TIME_SHIFT) + ms) << TIME_SHIFT;
    }

    long next(long wallMs) {
        long ms = wallMs - ORIGIN_MS;
        if (ms > lastMs) {
            lastMs = ms;
            number = 0;
        } else if (number > NUMBER_MAX) {
            lastMs++;
            number = 0;
        }
        return lastMs << TIME_SHIFT | (long) brokerId << BROKER_SHIFT | number++;
    }
}
