package org.metaq.client;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One {@link ClientConnection} after the other: when one is lost, the next is made, to whichever of
 * the addresses can be reached, until it is closed or the policy's time is over.
 *
 * <p>Each connection tells the broker the key of the one before, so that the broker ends that one
 * first: what it sent is done or dropped by the time that the next is open, and what it held is
 * free.
 *
 * <p>There is no thread for this: the reader thread of the connection that was lost makes the next
 * one, and ends then.
 *
 * <p>Life: CONNECTED -&gt; LOST -&gt; CONNECTED ..., LOST -&gt; GIVEN UP, any -&gt; CLOSED.
 * Thread-safe: its own monitor, a leaf, not held while connecting or calling back.
 */
public final class ReconnectingConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingConnection.class);
    private static final int KEY_LENGTH = 16;

    /** How long a close waits for an attempt that it interrupted. */
    private static final long JOIN_MS = 5_000;

    /** Told of what happens, on the reader thread of the connection that was lost. */
    public interface Listener {
        /** The connection is lost; the next is sought if the policy says so. */
        void lost(ClientException why);

        /**
         * The next connection is there, but nobody has got it yet: whatever must be in place before
         * others use it is done here.
         *
         * @throws ClientException if the connection is lost again; another is made then
         */
        void prepare(ClientConnection next) throws ClientException;

        /** The next connection is in use. */
        void reconnected(ClientConnection next);

        /** There will be no next connection; told once, and not after {@link #close}. */
        void gaveUp(ClientException why);
    }

    private final ReconnectPolicy policy;
    private final Listener listener;

    // Guarded by this.
    private ClientOptions options;
    private @Nullable ClientException end;
    private boolean isClosed;
    private @Nullable Thread recovering;
    private @Nullable ClientException lostAgain;

    // Written under the monitor, read by any thread.
    private volatile ClientConnection current;

    private ReconnectingConnection(
            ReconnectPolicy policy,
            Listener listener,
            ClientOptions options,
            ClientConnection first) {
        this.policy = policy;
        this.listener = listener;
        this.options = options;
        this.current = first;
    }

    /**
     * Connects, once: as {@link ClientConnection#connect}. Call {@link #watch} then.
     *
     * @throws ClientException as of there
     */
    public static ReconnectingConnection connect(
            ClientOptions options, ReconnectPolicy policy, Listener listener)
            throws ClientException {
        ClientOptions keyed =
                policy.isEnabled() ? options.toBuilder().key(newKey()).build() : options;
        return new ReconnectingConnection(policy, listener, keyed, ClientConnection.connect(keyed));
    }

    private static String newKey() {
        byte[] key = new byte[KEY_LENGTH];
        new SecureRandom().nextBytes(key);
        return HexFormat.of().formatHex(key);
    }

    /** Begins to notice that the connection is lost, when the listener can hear of it. */
    public void watch() {
        current.onLost(this::lost);
    }

    /** The connection in use, or the last one that was; commands fail on it if it is lost. */
    public ClientConnection current() {
        return current;
    }

    /** Whether a lost connection is followed by another: the policy says so, and it is not over. */
    public synchronized boolean isRecoverable() {
        return policy.isEnabled() && !isClosed && end == null;
    }

    /** How long a call may have to wait for a connection, milliseconds; 0: it does not. */
    public long patienceMs() {
        return policy.isEnabled() ? policy.timeoutMs() : 0;
    }

    /** The client id of the connections to come. */
    public synchronized void setClientId(String clientId) {
        options = options.toBuilder().clientId(clientId).build();
    }

    /**
     * The connection in use; waits for one if the policy says so.
     *
     * @throws ClientException if there will be none, or the thread is interrupted, whose flag stays
     *     set
     */
    public synchronized ClientConnection await() throws ClientException {
        while (policy.isEnabled() && !current.isOpen()) {
            if (end != null || isClosed) {
                throw ClientException.notConnected(
                        isClosed ? "the connection is closed" : "the connection is lost for good",
                        end);
            }
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw ClientException.notConnected("interrupted while waiting for a connection", e);
            }
        }
        return current;
    }

    // ---- recovery

    private void lost(ClientException why) {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            if (recovering == Thread.currentThread()) {
                lostAgain = why;
                return;
            }
            recovering = Thread.currentThread();
        }
        boolean isDone = false;
        try {
            recover(why);
            isDone = true;
        } finally {
            synchronized (this) {
                if (recovering == Thread.currentThread()) {
                    recovering = null;
                }
            }
            if (!isDone) {
                // a fault of ours, which the reader logs; whoever waits must not wait for ever
                giveUp(why);
            }
        }
    }

    private void recover(ClientException first) {
        ClientException why = first;
        while (why != null) {
            listener.lost(why);
            if (!policy.isEnabled()) {
                giveUp(why);
                return;
            }
            ClientConnection next = reconnect(why);
            if (next == null) {
                return;
            }
            LOG.info("reconnected to {} as {}", next.broker(), next.connectionId());
            listener.reconnected(next);
            why = watchAgain(next);
        }
    }

    /** Why the connection is lost already; null: its own reader thread will notice. */
    private @Nullable ClientException watchAgain(ClientConnection next) {
        synchronized (this) {
            lostAgain = null;
        }
        next.onLost(this::lost);
        synchronized (this) {
            if (lostAgain == null && recovering == Thread.currentThread()) {
                recovering = null;
            }
            return lostAgain;
        }
    }

    /** The next connection, which is in use then; null: closed or given up. */
    private @Nullable ClientConnection reconnect(ClientException why) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(policy.timeoutMs());
        ClientException last = why;
        for (int failures = 0; ; failures++) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                giveUp(last);
                return null;
            }
            if (failures > 0 && !pause(Math.min(leftMs, policy.pauseMs(failures)))) {
                return null;
            }
            try {
                return attempt();
            } catch (ClientException e) {
                LOG.debug("attempt {} to reconnect failed: {}", failures + 1, e.getMessage());
                last = e;
                if (isFinal(e.code())) {
                    giveUp(e);
                    return null;
                }
            }
        }
    }

    private @Nullable ClientConnection attempt() throws ClientException {
        ClientOptions now;
        synchronized (this) {
            now = options;
        }
        ClientConnection next = ClientConnection.connect(now);
        boolean isPrepared = false;
        try {
            listener.prepare(next);
            synchronized (this) {
                isPrepared = !isClosed;
                if (isPrepared) {
                    current = next;
                    notifyAll();
                }
            }
        } finally {
            if (!isPrepared) {
                next.close();
            }
        }
        return isPrepared ? next : null;
    }

    /** What trying again does not change. */
    private static boolean isFinal(ErrorCode code) {
        return code == ErrorCode.UNAUTHORIZED || code == ErrorCode.BAD_REQUEST;
    }

    /** False once it is closed. */
    private synchronized boolean pause(long pauseMs) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
        for (long leftNs = endNs - System.nanoTime();
                leftNs > 0 && !isClosed;
                leftNs = endNs - System.nanoTime()) {
            try {
                wait(leftNs / 1_000_000, (int) (leftNs % 1_000_000));
            } catch (InterruptedException e) {
                // only a close interrupts this thread, and says so
                LOG.debug("interrupted between two attempts to reconnect");
            }
        }
        return !isClosed;
    }

    private void giveUp(ClientException why) {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            end = why;
            notifyAll();
        }
        listener.gaveUp(why);
    }

    // ---- end

    /** No connection follows any more; who waits for one gets an exception. Returns at once. */
    public void stop() {
        Thread busy;
        synchronized (this) {
            isClosed = true;
            notifyAll();
            busy = recovering;
        }
        if (busy != null && busy != Thread.currentThread()) {
            busy.interrupt();
        }
    }

    /** Closes the connection in use, and ends the search for the next. */
    @Override
    public void close() {
        Thread busy;
        synchronized (this) {
            busy = recovering;
        }
        stop();
        current.close();
        if (busy == null || busy == Thread.currentThread()) {
            return;
        }
        try {
            busy.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
