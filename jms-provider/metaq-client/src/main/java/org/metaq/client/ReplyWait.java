package org.metaq.client;

import java.util.function.BooleanSupplier;

/**
 * Somebody's wait for what a reply will bring. It may read replies itself for a while, and so needs
 * not be woken by another thread; while it lasts no reply that it could be waiting for is left
 * unread. Made by {@link ClientConnection#waitWhile}; to be closed by the thread that made it.
 */
public final class ReplyWait implements AutoCloseable {
    /** Reads on the current thread while the condition holds. */
    interface Reading {
        void readWhile(BooleanSupplier condition, long timeoutNs);
    }

    private final ReadTurn turn;
    private final Reading reading;
    private final BooleanSupplier condition;

    ReplyWait(ReadTurn turn, Reading reading, BooleanSupplier condition) {
        this.turn = turn;
        this.reading = reading;
        this.condition = condition;
        turn.begin(this);
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
        reading.readWhile(condition, timeoutNs);
    }

    /** It is over. */
    @Override
    public void close() {
        turn.end(this);
    }
}
