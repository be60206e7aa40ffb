package org.metaq.client;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Command;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Limits;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pull loop of one consumer: keeps a buffer of acquired deliveries filled by long polls, never
 * more than one at a time, each for as many messages as the buffer has room for. It asks again when
 * the buffer is down to half of the prefetch, so messages flow while the application works.
 *
 * <p>With prefetch 0 nothing is asked for until somebody wants a message: a {@link #poll(long)}
 * that waits, {@link #pollNow}, or {@link #request}; then one message is.
 *
 * <p>When the connection is lost what was buffered is dropped: the broker has released it, and will
 * deliver it again.
 *
 * <p>Thread-safe: one lock, which is never held while sending or calling back.
 */
public final class PullConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(PullConsumer.class);

    /** Soft limit of one acquire; with as much in the buffer no more is asked for. */
    static final int ACQUIRE_BYTES = 1024 * 1024;

    /** How long the broker holds an acquire that finds nothing. */
    static final int LONG_POLL_MS = 30_000;

    private static final long BACK_OFF_MIN_MS = 100;
    private static final long BACK_OFF_MAX_MS = 5_000;

    private final ClientConnection connection;
    private final int consumerId;
    private final long subscriptionId;
    private final int prefetch;
    private final Runnable onAvailable;
    private final ReplyHandler acquireHandler = new AcquireHandler();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /**
     * A reply of so many messages, or of all that were asked for, shows that they come in batches.
     */
    private static final int STREAM_COUNT = 16;

    // Guarded by the lock.
    private final ArrayDeque<Delivery> buffer = new ArrayDeque<>();
    private long bufferedBytes;
    private boolean isStarted;
    private boolean isPaused;
    private boolean isClosed;
    private boolean isAsking;
    private boolean isLongPoll;
    private boolean isBackingOff;
    private boolean isRequested;
    private int lastReplyCount;
    private int lastAskedCount = 1;
    private int waiterCount;
    private long askedCount;
    private long answeredCount;
    private long backOffMs = BACK_OFF_MIN_MS;
    private @Nullable ClientException failure;
    private @Nullable Consumer<ClientException> onFailure;
    private Consumer<List<Delivery>> onLate = this::releaseLate;

    /**
     * A stopped consumer, which asks for nothing until {@link #start}.
     *
     * @param consumerId as the {@code subscribe} command gave it
     * @param subscriptionId as the {@code subscribe} command was answered
     * @param prefetch most messages in the buffer, 0..{@link Limits#ACQUIRE_COUNT_MAX}
     * @param onAvailable called when the empty buffer gets messages, on the reader thread: must not
     *     block; by {@link #start} on its caller's, if there are messages from before
     * @throws IllegalArgumentException if the prefetch is out of its range
     */
    public PullConsumer(
            ClientConnection connection,
            int consumerId,
            long subscriptionId,
            int prefetch,
            Runnable onAvailable) {
        if (prefetch < 0 || prefetch > Limits.ACQUIRE_COUNT_MAX) {
            throw new IllegalArgumentException(
                    "prefetch must be 0.." + Limits.ACQUIRE_COUNT_MAX + ", not " + prefetch);
        }
        this.connection = connection;
        this.consumerId = consumerId;
        this.subscriptionId = subscriptionId;
        this.prefetch = prefetch;
        this.onAvailable = onAvailable;
    }

    /** As given. */
    public ClientConnection connection() {
        return connection;
    }

    /** As given. */
    public int consumerId() {
        return consumerId;
    }

    /** As given. */
    public long subscriptionId() {
        return subscriptionId;
    }

    // ---- take

    /** The next buffered delivery, without waiting; null if there is none or it is stopped. */
    public @Nullable Delivery poll() {
        return poll(0);
    }

    /**
     * The next delivery, waiting for it; while stopped it waits for the start as well (Jakarta
     * Messaging 3.1 §6.1.5: a stopped connection delivers nothing).
     *
     * @param timeoutMs 0 or less: do not wait; {@link Long#MAX_VALUE}: no limit
     * @return null after the time-out, when closed or failed, or when the thread is interrupted,
     *     whose flag then stays set
     */
    public @Nullable Delivery poll(long timeoutMs) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, timeoutMs));
        while (true) {
            Delivery taken;
            Command.Acquire ask;
            long leftNs = deadlineNs - System.nanoTime();
            boolean waits = timeoutMs > 0 && leftNs > 0;
            lock.lock();
            try {
                taken = take();
                waiterCount += waits ? 1 : 0;
                try {
                    ask = taken == null || isStreaming() ? nextAcquire(pollMs(leftNs)) : null;
                    if (taken == null && ask == null && waits && !isOver()) {
                        changed.awaitNanos(leftNs);
                        continue;
                    }
                } finally {
                    waiterCount -= waits ? 1 : 0;
                }
                waits &= !isOver();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            } finally {
                lock.unlock();
            }
            dispatch(ask);
            if (taken != null || !waits) {
                return taken;
            }
        }
    }

    /** Asks for messages if it is time to; for who has taken one and will not poll at once. */
    public void ask() {
        Command.Acquire ask;
        lock.lock();
        try {
            ask = nextLongPoll();
        } finally {
            lock.unlock();
        }
        dispatch(ask);
    }

    /**
     * The next delivery if one is available now, here or at the broker: for {@code receiveNoWait}
     * (Jakarta Messaging 3.1, {@code MessageConsumer}). Blocks for at most one round trip more than
     * is under way.
     *
     * <p>Null means that the broker had none at some moment after this call began:
     *
     * <ul>
     *   <li>With no acquire outstanding, one that does not wait goes out, and its reply is awaited.
     *   <li>With a long poll outstanding, {@code version} goes out behind it, which the broker
     *       answers behind the deliveries that it can make then; replies keep their order on the
     *       connection, so a message that was there is in the buffer by the time that the answer is
     *       seen.
     *   <li>With an acquire outstanding that does not wait, it is awaited, then as above.
     * </ul>
     *
     * @return null also while stopped, when closed or failed, when the broker does not answer
     *     within the call time-out, or when interrupted, whose flag then stays set
     */
    public @Nullable Delivery pollNow() {
        long deadlineNs =
                System.nanoTime()
                        + TimeUnit.MILLISECONDS.toNanos(connection.options().callTimeoutMs());
        Delivery taken = poll();
        while (taken == null) {
            Command.Acquire ask;
            long number;
            lock.lock();
            try {
                if (isOver() || !isStarted) {
                    return null;
                }
                if (isAsking && isLongPoll) {
                    break;
                }
                if (isAsking) {
                    if (!awaitAnswer(askedCount, deadlineNs)) {
                        return take();
                    }
                    taken = take();
                    continue;
                }
                ask = acquire(Math.max(1, prefetch), 0);
                number = askedCount;
            } finally {
                lock.unlock();
            }
            dispatch(ask);
            lock.lock();
            try {
                awaitAnswer(number, deadlineNs);
            } finally {
                lock.unlock();
            }
            return poll();
        }
        return taken != null || !awaitRoundTrip() ? taken : poll();
    }

    /** Waits until that many acquires are answered; false if not in time or not any more. */
    private boolean awaitAnswer(long number, long deadlineNs) {
        try {
            while (answeredCount < number && !isOver()) {
                long leftNs = deadlineNs - System.nanoTime();
                if (leftNs <= 0) {
                    return false;
                }
                changed.awaitNanos(leftNs);
            }
            return !isOver();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean awaitRoundTrip() {
        try {
            connection.call(new Command.Version(connection.nextOpaque()));
            return true;
        } catch (ClientException e) {
            LOG.debug("consumer {}: no round trip: {}", consumerId, e.getMessage());
            return false;
        }
    }

    /**
     * With prefetch 0: asks for one message, whose arrival {@code onAvailable} tells. Without
     * effect while an earlier request is open or a message is buffered, and with another prefetch.
     */
    public void request() {
        Command.Acquire ask;
        lock.lock();
        try {
            isRequested = prefetch == 0 && buffer.isEmpty();
            ask = nextLongPoll();
        } finally {
            lock.unlock();
        }
        dispatch(ask);
    }

    // ---- life

    /** Starts asking and handing out. */
    public void start() {
        Command.Acquire ask;
        boolean tells;
        lock.lock();
        try {
            tells = !isStarted && !isOver() && !buffer.isEmpty();
            isStarted = true;
            isPaused = false;
            ask = nextLongPoll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        dispatch(ask);
        if (tells) {
            onAvailable.run();
        }
    }

    /** Stops asking and handing out; what a pending acquire still brings is kept. */
    public void stop() {
        lock.lock();
        try {
            isStarted = false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops for long, until {@link #start}: what a pending acquire still brings is released as
     * undelivered, so that others get it. What is buffered by now is for the caller to drain.
     */
    public void pause() {
        lock.lock();
        try {
            isStarted = false;
            isPaused = true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes all that is buffered, oldest first; also when stopped or closed. */
    public List<Delivery> drain() {
        Command.Acquire ask;
        List<Delivery> taken;
        lock.lock();
        try {
            taken = new ArrayList<>(buffer);
            clearBuffer();
            ask = nextLongPoll();
        } finally {
            lock.unlock();
        }
        dispatch(ask);
        return taken;
    }

    /**
     * Marks it closed and wakes who waits. The owner then {@link #drain drains} it and sends {@code
     * close-consumer} with what was drained. An acquire that was under way may have taken messages
     * before the broker saw that command; they are released as undelivered when they come.
     */
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces what is done, on the reader thread, with deliveries that come after the close or
     * while paused.
     */
    public void onLateDeliveries(Consumer<List<Delivery>> hook) {
        lock.lock();
        try {
            onLate = hook;
        } finally {
            lock.unlock();
        }
    }

    private void releaseLate(List<Delivery> late) {
        try {
            connection.sendOneWay(
                    new Command.Release(
                            new SettlementBuilder().addAll(subscriptionId, late).build(),
                            false,
                            connection.nextOpaque()));
        } catch (ClientException e) {
            // The end of the connection releases all that it holds.
            LOG.debug("consumer {}: late deliveries not released: {}", consumerId, e.getMessage());
        }
    }

    /** Why it ended by itself (lost connection, refused acquire); null if it did not. */
    public @Nullable ClientException failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has a listener told, on the reader thread or at once if it is over, why it ended by itself.
     */
    public void onFailure(Consumer<ClientException> listener) {
        ClientException why;
        lock.lock();
        try {
            onFailure = listener;
            why = failure;
        } finally {
            lock.unlock();
        }
        if (why != null) {
            listener.accept(why);
        }
    }

    // ---- the loop; under the lock

    private boolean isOver() {
        return isClosed || failure != null;
    }

    private @Nullable Delivery take() {
        Delivery taken = isStarted && !isOver() ? buffer.poll() : null;
        if (taken != null) {
            bufferedBytes -= taken.message().remaining();
        }
        return taken;
    }

    private void clearBuffer() {
        buffer.clear();
        bufferedBytes = 0;
    }

    private int pollMs(long leftNs) {
        // With prefetch 0 a message that comes after the time-out had better stay at the broker.
        long leftMs = TimeUnit.NANOSECONDS.toMillis(leftNs) + 1;
        return prefetch > 0 ? LONG_POLL_MS : (int) Math.max(1, Math.min(LONG_POLL_MS, leftMs));
    }

    private int credit() {
        if (prefetch == 0) {
            return buffer.isEmpty() && (waiterCount > 0 || isRequested) ? 1 : 0;
        }
        int keep = isStreaming() ? Math.min(prefetch, lastReplyCount) / 2 : 0;
        boolean isFull = buffer.size() > keep || bufferedBytes >= ACQUIRE_BYTES;
        return isFull ? 0 : prefetch - buffer.size();
    }

    /**
     * Messages come in batches: the next is asked for while this one is handed out. Else they come
     * one by one; then asking at the next {@link #poll} or {@link #ask} saves a write and a wake-up
     * at the broker, since the acknowledgement goes along.
     */
    private boolean isStreaming() {
        return lastReplyCount >= Math.min(STREAM_COUNT, lastAskedCount);
    }

    /** The acquire that is due, to be sent without the lock; null if none is. */
    private Command.@Nullable Acquire nextAcquire(int waitMs) {
        if (!isStarted || isOver() || isAsking || isBackingOff) {
            return null;
        }
        int credit = credit();
        return credit == 0 ? null : acquire(credit, waitMs);
    }

    /**
     * As {@link #nextAcquire}; but who waits with prefetch 0 asks itself, for as long as it waits.
     */
    private Command.@Nullable Acquire nextLongPoll() {
        return prefetch > 0 || isRequested ? nextAcquire(LONG_POLL_MS) : null;
    }

    private Command.Acquire acquire(int maxMessages, int waitMs) {
        isAsking = true;
        isLongPoll = waitMs > 0;
        askedCount++;
        lastAskedCount = maxMessages;
        return new Command.Acquire(
                consumerId, maxMessages, ACQUIRE_BYTES, waitMs, connection.nextOpaque());
    }

    // ---- the loop; without the lock

    private void dispatch(Command.@Nullable Acquire ask) {
        if (ask == null) {
            return;
        }
        try {
            connection.send(ask, acquireHandler);
        } catch (ClientException e) {
            refused(e);
        }
    }

    private final class AcquireHandler implements ReplyHandler {
        @Override
        public void answered(Reply reply) {
            acquired(reply);
        }

        @Override
        public void failed(ClientException why) {
            refused(why);
        }
    }

    private void acquired(Reply reply) {
        List<Delivery> deliveries;
        try {
            deliveries =
                    Delivery.readAll(
                            reply instanceof Reply.Value value
                                    ? value.body()
                                    : ByteBuffer.allocate(0));
        } catch (ProtocolException e) {
            connection.failMalformed(e);
            refused(ClientException.lostInFlight("acquire: " + e.getMessage(), e));
            return;
        }
        Command.Acquire ask;
        boolean tells;
        Consumer<List<Delivery>> late;
        lock.lock();
        try {
            isAsking = false;
            answeredCount++;
            backOffMs = BACK_OFF_MIN_MS;
            lastReplyCount = deliveries.size();
            late = (isClosed || isPaused) && !deliveries.isEmpty() ? onLate : null;
            tells = !isOver() && isStarted && buffer.isEmpty() && !deliveries.isEmpty();
            if (!isOver() && late == null) {
                addToBuffer(deliveries);
            }
            ask = nextLongPoll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        dispatch(ask);
        if (late != null) {
            Consumer<List<Delivery>> hook = late;
            ClientConnection.runCallback(() -> hook.accept(deliveries));
        }
        if (tells) {
            ClientConnection.runCallback(onAvailable);
        }
    }

    private void addToBuffer(List<Delivery> deliveries) {
        for (Delivery delivery : deliveries) {
            buffer.add(delivery);
            bufferedBytes += delivery.message().remaining();
            isRequested = false;
        }
    }

    private void refused(ClientException why) {
        boolean retries = why.code() == ErrorCode.BUSY;
        Consumer<ClientException> listener = null;
        long delayMs;
        lock.lock();
        try {
            isAsking = false;
            answeredCount++;
            delayMs = backOffMs;
            if (retries) {
                isBackingOff = true;
                backOffMs = Math.min(BACK_OFF_MAX_MS, backOffMs * 2);
            } else if (!isOver()) {
                failure = why;
                listener = onFailure;
                clearBuffer();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (retries) {
            connection.runLater(delayMs, this::backOffEnded);
        } else if (listener != null) {
            Consumer<ClientException> told = listener;
            ClientConnection.runCallback(() -> told.accept(why));
        }
    }

    private void backOffEnded() {
        Command.Acquire ask;
        lock.lock();
        try {
            isBackingOff = false;
            ask = nextLongPoll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        dispatch(ask);
    }
}
