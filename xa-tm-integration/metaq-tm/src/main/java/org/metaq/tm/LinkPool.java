package org.metaq.tm;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.XAConnectionFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The physical connections of a factory: at most so many, those in use included. Thread-safe: its
 * own lock, which is not held while a connection is opened or closed.
 */
final class LinkPool {
    private final XAConnectionFactory factory;
    private final int maxConnections;
    private final Duration maxWait;
    private final Duration idleTimeout;
    private final Executor afterIdleTimeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();

    // Guarded by the lock. The link that came back last is first.
    private final Deque<Idle> idle = new ArrayDeque<>();
    private int count;
    private boolean isPruning;
    private boolean isClosed;

    private record Idle(Link link, long sinceNs) {}

    LinkPool(
            XAConnectionFactory factory,
            int maxConnections,
            Duration maxWait,
            Duration idleTimeout) {
        this.factory = factory;
        this.maxConnections = maxConnections;
        this.maxWait = maxWait;
        this.idleTimeout = idleTimeout;
        this.afterIdleTimeout =
                CompletableFuture.delayedExecutor(idleTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * A link that is nobody else's: one that lies here, a new one, or one that comes back while
     * this waits.
     *
     * @throws ResourceAllocationException if all stay in use
     * @throws JMSException if there is no connecting, or the pool is closed
     */
    Link take(LinkKey key) throws JMSException {
        Link found = idleOrRoom(key);
        if (found != null) {
            return found;
        }
        Link opened = null;
        try {
            opened = Link.open(factory, key);
            return opened;
        } finally {
            if (opened == null) {
                leave();
            }
        }
    }

    /** An idle link; or null, and there is room for a new one, which is counted. */
    private @Nullable Link idleOrRoom(LinkKey key) throws JMSException {
        List<Link> removed = new ArrayList<>();
        lock.lock();
        try {
            long leftNs = maxWait.toNanos();
            while (true) {
                if (isClosed) {
                    throw new IllegalStateException("the connection factory is closed");
                }
                prune(removed);
                Link found = takeIdle(key);
                if (found != null) {
                    return found;
                }
                if (count < maxConnections) {
                    count++;
                    return null;
                }
                Idle oldest = idle.pollLast();
                if (oldest != null) {
                    // Someone else's credentials: its place is worth more than itself.
                    removed.add(oldest.link);
                    return null;
                }
                if (leftNs <= 0) {
                    throw new ResourceAllocationException(
                            "all connections of the pool are in use, and none came back within "
                                    + maxWait.toMillis()
                                    + " ms (maxWait): allow more than maxConnections="
                                    + maxConnections
                                    + ", or look for connections and contexts that are not closed"
                                    + " and transactions that are not ended");
                }
                leftNs = freed.awaitNanos(leftNs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ResourceAllocationException("interrupted while waiting for a connection");
        } finally {
            lock.unlock();
            removed.forEach(Link::close);
        }
    }

    private @Nullable Link takeIdle(LinkKey key) {
        for (Iterator<Idle> i = idle.iterator(); i.hasNext(); ) {
            Link link = i.next().link;
            if (link.key().equals(key)) {
                i.remove();
                return link;
            }
        }
        return null;
    }

    /** Takes out what is lost, or idle for too long. Under the lock. */
    private void prune(List<Link> removed) {
        long nowNs = System.nanoTime();
        for (Iterator<Idle> i = idle.iterator(); i.hasNext(); ) {
            Idle next = i.next();
            if (next.link.isSpent() || nowNs - next.sinceNs >= idleTimeout.toNanos()) {
                i.remove();
                count--;
                removed.add(next.link);
            }
        }
    }

    /** Takes a link back, to keep it or to close it. */
    void give(Link link) {
        if (!link.renew() || !keep(link)) {
            link.close();
            leave();
        }
    }

    private boolean keep(Link link) {
        lock.lock();
        try {
            if (isClosed) {
                return false;
            }
            idle.addFirst(new Idle(link, System.nanoTime()));
            pruneLater();
            freed.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            count--;
            freed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Looks again for what is idle too long, once per time. Under the lock. */
    private void pruneLater() {
        if (!isPruning && !idle.isEmpty()) {
            isPruning = true;
            afterIdleTimeout.execute(this::pruneNow);
        }
    }

    private void pruneNow() {
        List<Link> removed = new ArrayList<>();
        lock.lock();
        try {
            isPruning = false;
            prune(removed);
            pruneLater();
        } finally {
            lock.unlock();
        }
        removed.forEach(Link::close);
    }

    /** Closes what is idle now, and each other one when it comes back. True the first time. */
    boolean close() {
        List<Link> removed = new ArrayList<>();
        lock.lock();
        try {
            if (isClosed) {
                return false;
            }
            isClosed = true;
            idle.forEach(each -> removed.add(each.link));
            count -= idle.size();
            idle.clear();
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        removed.forEach(Link::close);
        return true;
    }

    /** Connections that are open, or being opened. */
    int count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Of them, those that nobody uses. */
    int idleCount() {
        lock.lock();
        try {
            return idle.size();
        } finally {
            lock.unlock();
        }
    }
}
