package org.metaq.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to read the socket: the reader thread's, or, while waits follow each other
 * closely, that of a thread that waits for a reply, which then need not be woken by another one.
 *
 * <p>The reader thread gives the turn away when threads have waited one after the other, and is
 * woken when nobody has read for {@link #STANDBY_NS} to twice that; so much later at most comes
 * what nobody waits for, such as the completion of a send. A thread that waits and does not get the
 * turn is woken by whoever has it.
 *
 * <p>Thread-safe. What belongs to the reading is handed over by the holder's compare-and-set.
 */
final class ReadTurn {
    /** How often is looked whether anybody reads; waits less apart follow each other closely. */
    static final long STANDBY_NS = 2_000_000;

    /** Longest time that a waiting thread reads before the reader thread goes on. */
    static final long READ_MAX_NS = 20_000_000;

    /** After so long it looks at its other duties, however much others read. */
    private static final long STANDBY_MAX_NS = 100_000_000;

    private final Thread reader;
    private final SharedThread watch;
    private final AtomicReference<@Nullable Thread> holder = new AtomicReference<>();
    private final Queue<ReplyWait> waits = new ConcurrentLinkedQueue<>();

    // Written by whoever waits, read by the reader thread: a lost update costs a hand-off.
    private volatile long lastWaitNs = System.nanoTime() - STANDBY_NS;
    private volatile boolean isWaitFrequent;

    /** Set by whoever has work for the reader thread, cleared by that before it does it. */
    private volatile boolean isReaderWanted;

    /** Written by the holder alone. */
    private volatile int readCount;

    // Reader thread.
    private boolean isReaderDue;

    // Whoever looks after readers that stand by.
    private int seenReadCount;

    /**
     * The turn of a connection.
     *
     * @param watch looks after the reader thread while it stands by
     */
    ReadTurn(Thread reader, SharedThread watch) {
        this.reader = reader;
        this.watch = watch;
    }

    // ---- threads that wait

    void begin(ReplyWait wait) {
        waits.add(wait);
    }

    void end(ReplyWait wait) {
        waits.remove(wait);
        lastWaitNs = System.nanoTime();
    }

    /** Takes the turn for the current thread, if the reader thread has given it away. */
    boolean take() {
        long nowNs = System.nanoTime();
        isWaitFrequent = nowNs - lastWaitNs < STANDBY_NS;
        lastWaitNs = nowNs;
        return !isReaderWanted && holder.compareAndSet(null, Thread.currentThread());
    }

    /** Gives it back; the reader thread goes on at once if somebody waits. */
    void giveBack() {
        @SuppressWarnings("NonAtomicVolatileUpdate") // the holder alone
        int next = readCount + 1;
        readCount = next;
        holder.set(null);
        if (isReaderWanted || isAnyoneWaiting()) {
            LockSupport.unpark(reader);
        }
    }

    /** Whether the current thread reads. */
    boolean isMine() {
        return holder.get() == Thread.currentThread();
    }

    // ---- any thread

    /** Has the reader thread take its turn as soon as it can. */
    void wantReader() {
        isReaderWanted = true;
        LockSupport.unpark(reader);
    }

    /** Whether a thread that reads in the reader's place should stop. */
    boolean isReaderWanted() {
        return isReaderWanted;
    }

    private boolean isAnyoneWaiting() {
        for (ReplyWait wait : waits) {
            if (wait.isOpen()) {
                return true;
            }
        }
        return false;
    }

    // ---- reader thread

    /** Waits for the turn. */
    void await() {
        while (!holder.compareAndSet(null, reader)) {
            LockSupport.parkNanos(this, STANDBY_NS);
            // a flag that was left by a callback would keep it from parking
            Thread.interrupted();
        }
    }

    /** The reader thread is about to look at what others have for it. */
    void readerLooks() {
        isReaderWanted = false;
    }

    /** The reader thread has read. */
    void readerHasRead() {
        isReaderDue = false;
    }

    /**
     * Lets waiting threads read if they have wanted to; it has the turn again when this returns.
     *
     * @return false if nobody wants to: the reader thread is to read
     */
    boolean standBy() {
        if (isReaderDue
                || !isWaitFrequent
                || System.nanoTime() - lastWaitNs >= STANDBY_NS
                || isAnyoneWaiting()) {
            return false;
        }
        int readBefore = readCount;
        holder.set(null);
        // Who did not get the turn just before this waits to be woken by us.
        boolean isMissed = isReaderWanted || isAnyoneWaiting();
        if (!isMissed || !holder.compareAndSet(null, reader)) {
            watch.add(this);
            LockSupport.parkNanos(this, STANDBY_MAX_NS);
            watch.remove(this);
            await();
        }
        isReaderDue = readCount == readBefore;
        return true;
    }

    // ---- the thread that looks after readers that stand by

    /** Wakes the reader thread if nobody has read since this was called last. */
    void wakeIfUnread() {
        int count = readCount;
        if (count == seenReadCount && holder.get() == null) {
            LockSupport.unpark(reader);
        }
        seenReadCount = count;
    }
}
