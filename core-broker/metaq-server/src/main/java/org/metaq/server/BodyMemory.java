package org.metaq.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Memory of bodies that are still arriving. It is taken as bytes arrive, so that an announced
 * length costs nothing, and given back when the body is complete or its connection is gone.
 *
 * <p>When it is used up, who needs more waits; the first to wait may overdraw until its body is
 * complete, because otherwise all could wait for each other. Thread-safe.
 */
final class BodyMemory {
    private final long limitBytes;
    private long usedBytes;
    private @Nullable Object overdrawer;
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    private record Waiter(Object owner, Runnable wake) {}

    BodyMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * Takes memory.
     *
     * @param owner the connection
     * @param wake run on any thread when it is worth to try again, if this returns false
     */
    synchronized boolean take(Object owner, long bytes, Runnable wake) {
        if (usedBytes + bytes > limitBytes && overdrawer != owner) {
            if (overdrawer != null) {
                waiters.add(new Waiter(owner, wake));
                return false;
            }
            overdrawer = owner;
        }
        usedBytes += bytes;
        return true;
    }

    /** Gives back all that an owner has; it is no longer waiting. */
    void giveBack(Object owner, long bytes) {
        Deque<Waiter> woken;
        synchronized (this) {
            usedBytes -= bytes;
            waiters.removeIf(waiter -> waiter.owner() == owner);
            if (overdrawer == owner) {
                overdrawer = null;
            } else if (usedBytes > limitBytes / 2) {
                return;
            }
            woken = new ArrayDeque<>(waiters);
            waiters.clear();
        }
        woken.forEach(waiter -> waiter.wake().run());
    }

    synchronized long usedBytes() {
        return usedBytes;
    }
}
