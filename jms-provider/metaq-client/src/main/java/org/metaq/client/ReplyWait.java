package org.metaq.client;

import java.util.function.BooleanSupplier;

/**
 * Somebody's wait for what a reply will bring. It may read replies itself for a while, and so needs
 * not be woken by another thread; while it lasts no reply that it could be waiting for is left
 * unread. Made by {@link ClientConnection#waitWhile}; to be closed by the thread that made it.
 */
public final class ReplyWait implements AutoCloseable {
    private final ReaderLoop loop;
    private final BooleanSupplier condition;

    ReplyWait(ReaderLoop loop, BooleanSupplier condition) {
        this.loop = loop;
        this.condition = condition;
        loop.turn().begin(this);
    }

    /** Whether what it waits for has not come. */
    boolean isOpen() {
        return condition.getAsBoolean();
    }

    /**
     * Reads replies on this thread, if it may, while the condition holds. It may return at once, at
     * the latest after some milliseconds, and the condition may still hold then: the caller goes on
     * waiting in its own way.
     *
     * @param timeoutNs longest time, &gt;= 0
     */
    public void read(long timeoutNs) {
        loop.readWhile(condition, timeoutNs);
    }

    /** It is over. */
    @Override
    public void close() {
        loop.turn().end(this);
    }
}
