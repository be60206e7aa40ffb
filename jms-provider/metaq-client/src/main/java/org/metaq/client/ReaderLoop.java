package org.metaq.client;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the reader thread of one connection does until the connection ends: reads replies, goes on
 * with writes that found the socket full, sends heartbeats, notices a silent broker, runs what was
 * put off. It waits in one place only, the selector, with the time of the next of these as
 * time-out.
 *
 * <p>Confined to the reader thread, but for the methods that say so; a caller may take its place
 * for a while ({@link ReadTurn}).
 */
final class ReaderLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    /** Beyond this many silent heartbeat intervals the broker is taken for dead. */
    private static final int SILENT_INTERVALS_MAX = 3;

    /** How long a closing connection waits for the broker's end. */
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(2);

    private final SocketChannel channel;
    private final Selector selector;
    private final Thread thread;
    private final ReadTurn turn;
    private final SelectionKey key;
    private final FrameReader frames;
    private final FrameWriter writer;
    private final ClientConnection owner;
    private final long heartbeatNs;
    private final PriorityBlockingQueue<Later> later = new PriorityBlockingQueue<>();

    /** Set once by whoever sees the connection fail, read by the loop. */
    private volatile @Nullable ClientException failure;

    /** Set once by close(), read by the loop; 0: not closing. */
    private volatile long closingSinceNs;

    /** Written by whoever reads, read by the reader thread. */
    private volatile long lastReadNs = System.nanoTime();

    private long lastHeartbeatNs = lastReadNs;

    private record Later(long atNs, Runnable task) implements Comparable<Later> {
        @Override
        public int compareTo(Later other) {
            return Long.compare(atNs - other.atNs, 0);
        }
    }

    ReaderLoop(
            ClientConnection owner,
            String threadName,
            SocketChannel channel,
            FrameReader frames,
            long heartbeatMs)
            throws IOException {
        this.owner = owner;
        this.thread = OwnThreads.daemon(threadName, this);
        this.turn = new ReadTurn(thread, SharedThread.INSTANCE);
        this.channel = channel;
        this.frames = frames;
        this.heartbeatNs = TimeUnit.MILLISECONDS.toNanos(heartbeatMs);
        channel.configureBlocking(false);
        this.selector = Selector.open();
        this.key = channel.register(selector, SelectionKey.OP_READ);
        this.writer = new FrameWriter(channel, this::awaitWritable, owner::frameTaken);
    }

    FrameWriter writer() {
        return writer;
    }

    /** The reader thread, to be started by the owner. */
    Thread thread() {
        return thread;
    }

    ReadTurn turn() {
        return turn;
    }

    /** Ends the connection as lost; any thread. */
    void fail(ClientException why) {
        synchronized (this) {
            if (failure == null) {
                failure = why;
            }
        }
        wakeUp();
    }

    private void wakeUp() {
        turn.wantReader();
        selector.wakeup();
    }

    /** Ends the connection as closed when the broker has hung up, or soon after; any thread. */
    void finish() {
        closingSinceNs = System.nanoTime() | 1;
        wakeUp();
    }

    /** Runs a task on the reader thread, after a while; not at all if the connection ends. */
    void runLater(long delayMs, Runnable task) {
        later.add(new Later(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs), task));
        wakeUp();
    }

    /** Called by a writer, on any thread, that found the socket full. */
    private void awaitWritable() {
        if (key.isValid()) {
            key.interestOpsOr(SelectionKey.OP_WRITE);
            wakeUp();
        }
    }

    @Override
    public void run() {
        ClientException end = null;
        turn.await();
        try {
            end = loop();
        } catch (Exception e) {
            end = lost(e);
        } finally {
            release();
            owner.ended(closingSinceNs != 0 ? null : end);
        }
    }

    /**
     * Reads on the current thread, if it may, for as long as the condition holds, and a few
     * milliseconds at most. Replies are delivered as on the reader thread.
     */
    void readWhile(BooleanSupplier condition, long timeoutNs) {
        if (!turn.take()) {
            return;
        }
        try {
            long endNs = System.nanoTime() + Math.min(timeoutNs, ReadTurn.READ_MAX_NS);
            for (long leftNs = endNs - System.nanoTime();
                    leftNs > 0
                            && condition.getAsBoolean()
                            && !turn.isReaderWanted()
                            && !Thread.currentThread().isInterrupted();
                    leftNs = endNs - System.nanoTime()) {
                selector.select(ceilMs(leftNs));
                if (!serve()) {
                    fail(hungUp());
                }
            }
        } catch (Exception e) {
            // as in the reader's outermost loop, which ends the connection for it
            fail(lost(e));
        } finally {
            turn.giveBack();
        }
    }

    private ClientException lost(Exception e) {
        if (e instanceof IOException) {
            return ClientException.lostInFlight(
                    "connection to " + owner.broker() + " lost: " + e, e);
        }
        if (e instanceof ProtocolException) {
            return ClientException.lostInFlight(owner.broker() + " sent a " + e.getMessage(), e);
        }
        LOG.error("reader of {} failed", owner.broker(), e);
        return ClientException.lostInFlight("reader of " + owner.broker() + " failed: " + e, e);
    }

    private ClientException hungUp() {
        return ClientException.lostInFlight(
                owner.broker() + " closed the connection", new ClosedChannelException());
    }

    private void release() {
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing the socket to {}", owner.broker(), e);
        }
    }

    /** Returns why the connection is lost; null if it was closed. */
    private @Nullable ClientException loop() throws IOException, ProtocolException {
        while (true) {
            turn.readerLooks();
            long nowNs = System.nanoTime();
            ClientException end = failure;
            if (end != null) {
                return end;
            }
            if (closingSinceNs != 0 && nowNs - closingSinceNs >= LINGER_NS) {
                return null;
            }
            if (heartbeatNs > 0 && nowNs - lastReadNs >= heartbeatNs * SILENT_INTERVALS_MAX) {
                return ClientException.lostInFlight(
                        owner.broker()
                                + " was silent for "
                                + TimeUnit.NANOSECONDS.toMillis(nowNs - lastReadNs)
                                + " ms",
                        null);
            }
            heartbeat(nowNs);
            runDue(nowNs);
            if (turn.standBy()) {
                continue;
            }
            // A flag left by a callback would make the selector spin.
            Thread.interrupted();
            selector.select(nextWaitMs(System.nanoTime()));
            turn.readerHasRead();
            if (!serve()) {
                return hungUp();
            }
        }
    }

    /** Does what the selector has found; returns false at the end of the stream. */
    private boolean serve() throws IOException, ProtocolException {
        selector.selectedKeys().clear();
        if (key.isWritable()) {
            key.interestOps(SelectionKey.OP_READ);
            writer.resume();
        }
        return !key.isReadable() || read();
    }

    /** Returns false at the end of the stream. */
    private boolean read() throws IOException, ProtocolException {
        int count;
        do {
            count = frames.readFrom(channel);
            if (count <= 0) {
                break;
            }
            lastReadNs = System.nanoTime();
            for (Reply reply = frames.next(); reply != null; reply = frames.next()) {
                owner.deliver(reply);
            }
        } while (frames.isFull());
        return count >= 0;
    }

    private void heartbeat(long nowNs) {
        if (heartbeatNs > 0
                && closingSinceNs == 0
                && nowNs - writer.lastWriteNs() >= heartbeatNs
                && nowNs - lastHeartbeatNs >= heartbeatNs) {
            lastHeartbeatNs = nowNs;
            owner.sendHeartbeat();
        }
    }

    private void runDue(long nowNs) {
        for (Later next = later.peek();
                next != null && next.atNs - nowNs <= 0;
                next = later.peek()) {
            later.remove(next);
            ClientConnection.runCallback(next.task);
        }
    }

    /** 0: no limit. */
    private long nextWaitMs(long nowNs) {
        long waitNs = Long.MAX_VALUE;
        if (heartbeatNs > 0) {
            long lastNs =
                    Math.max(writer.lastWriteNs() - nowNs, lastHeartbeatNs - nowNs); // both <= 0
            waitNs = lastNs + heartbeatNs;
            waitNs = Math.min(waitNs, lastReadNs + heartbeatNs * SILENT_INTERVALS_MAX - nowNs);
        }
        if (closingSinceNs != 0) {
            waitNs = Math.min(waitNs, closingSinceNs + LINGER_NS - nowNs);
        }
        Later next = later.peek();
        if (next != null) {
            waitNs = Math.min(waitNs, next.atNs - nowNs);
        }
        return waitNs == Long.MAX_VALUE ? 0 : ceilMs(waitNs);
    }

    /** At least 1. */
    private static long ceilMs(long ns) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(ns + 999_999));
    }
}
