package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ReplyWait;
import org.metaq.client.SettlementBuilder;
import org.metaq.protocol.Command;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;
import org.metaq.protocol.Settlement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving side of a session: its consumers, what was delivered and is not settled, whether
 * deliveries run. All state is guarded by the session's lock, which is held while a message is
 * handed out and while deliveries are settled, never while a listener runs. Threads that wait for a
 * message wait on the signal, which network threads raise without the lock.
 */
final class SessionInbox {
    private static final Logger LOG = LoggerFactory.getLogger(SessionInbox.class);

    /** How many lazy acknowledgements are kept back at most. */
    private static final int LAZY_COUNT_MAX = 64;

    private final ReentrantLock lock;
    private final Condition listenerReturned;
    private final Signal signal = new Signal();
    private final SessionLink link;
    private final AcknowledgeMode mode;
    private final List<MetaQConsumer> consumers = new CopyOnWriteArrayList<>();

    /** Delivered; the application, its transaction or the return of its listener settles them. */
    private final SettlementBuilder unsettled = new SettlementBuilder();

    /** Acknowledged as far as the application can tell; the broker will be told. */
    private final SettlementBuilder lazy = new SettlementBuilder();

    private final LoadedMessages loaded;

    // Written under the lock; a receive that waits, and the listener thread, read it without.
    private volatile boolean isClosing;

    private boolean isStarted;
    private boolean isInBranch;
    private boolean isWorkLost;
    private @Nullable Thread listenerThread;
    private @Nullable Handed listening;
    private int turn;

    SessionInbox(ReentrantLock lock, SessionLink link, AcknowledgeMode mode) {
        this.lock = lock;
        this.listenerReturned = lock.newCondition();
        this.link = link;
        this.mode = mode;
        this.loaded = new LoadedMessages(this, lock, link);
    }

    private ClientConnection client() {
        return link.client();
    }

    Signal signal() {
        return signal;
    }

    /**
     * Waits until the signal was raised after {@code seen}, or the time is over; may read the
     * replies of the broker itself meanwhile. Without the session's lock.
     *
     * @param timeoutNs longest wait, &gt;= 0; {@link Long#MAX_VALUE}: no limit
     * @throws InterruptedException if the thread is interrupted
     */
    void await(long seen, long timeoutNs) throws InterruptedException {
        long startNs = System.nanoTime();
        try (ReplyWait wait = client().waitWhile(() -> signal.version() == seen)) {
            wait.read(timeoutNs);
            signal.await(
                    seen,
                    timeoutNs == Long.MAX_VALUE
                            ? timeoutNs
                            : timeoutNs - (System.nanoTime() - startNs));
        }
    }

    List<MetaQConsumer> consumers() {
        return consumers;
    }

    boolean isClosing() {
        return isClosing;
    }

    /** True on the thread that runs this session's listener just now. */
    boolean isListenerThread() {
        lock.lock();
        try {
            return listening != null && Thread.currentThread() == listenerThread;
        } finally {
            lock.unlock();
        }
    }

    // ---- consumers

    /**
     * Adds a consumer; once closing it is closed at once.
     *
     * @return whether it was added
     */
    boolean attach(MetaQConsumer consumer) throws JMSException {
        boolean isLate;
        lock.lock();
        try {
            isLate = isClosing;
            consumers.add(consumer);
            if (isStarted && !isLate) {
                consumer.startPull();
            }
        } finally {
            lock.unlock();
        }
        if (isLate) {
            consumer.close();
        }
        return !isLate;
    }

    /** Closes a consumer; the caller has made sure that it hands out nothing any more. */
    void detach(MetaQConsumer consumer) throws ClientException {
        lock.lock();
        try {
            if (!consumers.remove(consumer)) {
                return;
            }
            flushLazy();
            consumer.pull().close();
            SettlementBuilder undelivered = new SettlementBuilder();
            consumer.drainInto(undelivered);
            client().call(
                            new Command.CloseConsumer(
                                    consumer.pull().consumerId(),
                                    undelivered.build(),
                                    client().nextOpaque()));
        } finally {
            lock.unlock();
            signal.raise();
        }
    }

    // ---- start, stop, close

    void start() {
        lock.lock();
        try {
            if (isClosing) {
                return;
            }
            isStarted = true;
            consumers.forEach(MetaQConsumer::startPull);
        } finally {
            lock.unlock();
        }
        signal.raise();
    }

    /** Stops handing out and waits until no listener runs. */
    void stop() {
        lock.lock();
        try {
            isStarted = false;
            consumers.forEach(consumer -> consumer.pull().stop());
            awaitListener(null);
        } finally {
            lock.unlock();
        }
        signal.raise();
    }

    /** Hands out nothing any more, for good, and waits until no listener runs. */
    void beginClose() {
        lock.lock();
        try {
            isClosing = true;
            signal.raise();
            awaitListener(null);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the consumer's listener, or any for null, has returned; not when called by that
     * listener itself.
     */
    void awaitListener(@Nullable MetaQConsumer consumer) {
        lock.lock();
        try {
            while (listening != null
                    && (consumer == null || listening.consumer() == consumer)
                    && Thread.currentThread() != listenerThread) {
                listenerReturned.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- handing out

    /**
     * The next message for a receive, accounted for as the mode says, or null if there is none now.
     * If the receiver cannot take it, it comes again where the session acknowledges, and counts as
     * delivered elsewhere.
     *
     * @param askBroker whether to ask the broker if nothing was fetched
     */
    <T> @Nullable T receive(MetaQConsumer consumer, boolean askBroker, Receiver<T> receiver)
            throws JMSException {
        lock.lock();
        try {
            if (isClosing || consumer.isClosed() || !isStarted) {
                return null;
            }
            if (mode == AcknowledgeMode.TRANSACTED) {
                requireWorkKept();
            }
            Handed handed = consumer.next(askBroker);
            if (handed == null) {
                flushLazy();
                client().flush();
                return null;
            }
            T result;
            try {
                result = receiver.take(handed.message());
            } catch (JMSException e) {
                refused(handed);
                throw e;
            }
            account(handed);
            consumer.pull().ask();
            client().flushSoon();
            return result;
        } catch (ClientException e) {
            if (consumer.comesBackAfter(e)) {
                // the broker has taken the message back as well
                return null;
            }
            throw JmsErrors.of("receive from " + consumer.destination(), e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * What becomes of a message that the caller cannot take. Jakarta Messaging 3.1 §8.6: it comes
     * again as if nothing had happened where the session acknowledges, and counts as delivered
     * where the application settles.
     */
    private void refused(Handed handed) throws ClientException {
        AcknowledgeMode now = effectiveMode();
        if (now == AcknowledgeMode.AUTO || now == AcknowledgeMode.DUPS_OK) {
            handed.consumer().putBack(handed);
        } else {
            account(handed);
            handed.consumer().pull().ask();
            client().flush();
        }
    }

    private void account(Handed handed) throws ClientException {
        long subscription = handed.pull().subscriptionId();
        switch (effectiveMode()) {
            case AUTO -> acknowledge(handed);
            case DUPS_OK -> {
                lazy.add(subscription, handed.delivery());
                if (lazy.count() >= LAZY_COUNT_MAX) {
                    flushLazy();
                }
            }
            default -> unsettled.add(subscription, handed.delivery());
        }
    }

    /** The mode now: a session for distributed transactions has two. */
    private AcknowledgeMode effectiveMode() {
        return mode == AcknowledgeMode.XA && !isInBranch ? AcknowledgeMode.AUTO : mode;
    }

    /** Acknowledges one message; the next command or {@code flush} takes it along. */
    void acknowledge(Handed handed) throws ClientException {
        client().acknowledge(handed.pull().subscriptionId(), handed.delivery());
    }

    /** Gives back one message that cannot be read, as delivered, so that its count grows. */
    void reject(long subscriptionId, Delivery delivery) throws ClientException {
        Settlement settlement = new SettlementBuilder().add(subscriptionId, delivery).build();
        client().sendQuiet(new Command.Release(settlement, true, Command.QUIET));
        client().flush();
    }

    /** Tells the broker what was acknowledged lazily. The caller holds the lock. */
    void flushLazy() throws ClientException {
        if (!lazy.isEmpty()) {
            Settlement settlement = lazy.build();
            lazy.clear();
            client().sendQuiet(new Command.Acknowledge(settlement, Command.QUIET));
        }
    }

    // ---- listeners, on the session's listener thread

    /**
     * The next message for a listener, which counts as running until {@link #listenerReturned}; or
     * null if there is none now.
     */
    @Nullable Handed nextForListener() throws ClientException, JMSException {
        lock.lock();
        try {
            int count = consumers.size();
            for (int i = 0; i < count && isStarted && !isClosing; i++) {
                MetaQConsumer consumer = consumers.get((turn + i) % count);
                if (consumer.listener() == null) {
                    continue;
                }
                Handed handed = consumer.next(false);
                if (handed != null) {
                    turn = (turn + i + 1) % count;
                    listenTo(handed);
                    client().flushSoon();
                    return handed;
                }
                consumer.requestIfUnbuffered();
            }
            flushLazy();
            client().flush();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The current thread is about to call a listener with a message; {@link #listenerReturned} ends
     * that. The caller holds the lock.
     */
    void listenTo(Handed handed) {
        listening = handed;
        listenerThread = Thread.currentThread();
        hold(handed);
    }

    /**
     * A listener returned: settles its message as the mode says, unless the listener did (by
     * recover, commit, rollback).
     *
     * @param failure what it threw, for the broker; null: nothing. Jakarta Messaging 3.1 §8.7: with
     *     AUTO and DUPS_OK the message is redelivered, else the application settles it
     */
    void listenerReturned(@Nullable String failure) throws ClientException {
        lock.lock();
        try {
            settle(listening, failure, true);
        } finally {
            listening = null;
            listenerReturned.signalAll();
            lock.unlock();
        }
    }

    // ---- endpoints; the caller holds the lock

    /** Hands a message out; {@link #settle} or the end of a branch takes it off. */
    void hold(Handed handed) {
        unsettled.add(handed.pull().subscriptionId(), handed.delivery());
    }

    /**
     * Settles a message that was handed out as the mode says, unless that was done meanwhile.
     *
     * @param heard null: none that is known, all go back
     * @param failure why it goes back; null: it was dealt with
     * @param delivered whether it counts as delivered if it goes back
     */
    void settle(@Nullable Handed heard, @Nullable String failure, boolean delivered)
            throws ClientException {
        AcknowledgeMode now = effectiveMode();
        boolean isAutomatic = now == AcknowledgeMode.AUTO || now == AcknowledgeMode.DUPS_OK;
        if (!isAutomatic) {
            return;
        }
        // If it was lost with its connection it comes again, and the next branch is none of it.
        isWorkLost = false;
        if (unsettled.isEmpty()) {
            return;
        }
        if (failure != null || heard == null) {
            recover(failure == null ? "" : failure, delivered);
        } else if (now == AcknowledgeMode.AUTO) {
            unsettled.clear();
            acknowledge(heard);
        } else {
            lazy.add(heard.pull().subscriptionId(), heard.delivery());
            unsettled.clear();
            if (lazy.count() >= LAZY_COUNT_MAX) {
                flushLazy();
            }
        }
    }

    // ---- messages that a connection consumer loads

    /** Whether it hands out messages just now. The caller holds the lock. */
    boolean isHandingOut() {
        return isStarted && !isClosing;
    }

    /** What a connection consumer loaded. */
    LoadedMessages loaded() {
        return loaded;
    }

    // ---- a connection that was lost, and the next; the caller holds the lock

    /**
     * What was delivered over the lost connection is the broker's again, and comes again.
     *
     * @param now the connection that the session goes on with
     */
    void forgetLost(ClientConnection now) {
        isWorkLost |= !unsettled.isEmpty();
        unsettled.clear();
        lazy.clear();
        loaded.forgetLost(now);
    }

    /** What the transaction did is lost. */
    void markWorkLost() {
        isWorkLost = true;
    }

    /** Whether a connection was lost with something that was delivered and not settled. */
    boolean isWorkLost() {
        return isWorkLost;
    }

    /** The application knows by now. */
    void clearWorkLost() {
        isWorkLost = false;
    }

    /**
     * A transaction that lost a part of its work can only be rolled back.
     *
     * @throws TransactionRolledBackException if it did
     */
    void requireWorkKept() throws TransactionRolledBackException {
        if (isWorkLost) {
            throw new TransactionRolledBackException(
                    "the connection was lost and made anew: the transaction was rolled back, call"
                            + " rollback and begin again",
                    ErrorCode.CONNECTION_LOST.name());
        }
    }

    /** What the application is told that acknowledges what came over a lost connection. */
    static IllegalStateException workLost(@Nullable ClientException cause) {
        IllegalStateException told =
                new IllegalStateException(
                        "the connection was lost: messages that came over it cannot be acknowledged"
                                + " any more, they may come again",
                        ErrorCode.CONNECTION_LOST.name());
        return cause == null ? told : JmsErrors.withCause(told, cause);
    }

    /** Whether consumers are to be started. */
    boolean isStarted() {
        return isStarted;
    }

    // ---- settling what was delivered; the caller holds the lock

    /**
     * Acknowledges all that was delivered, and waits until the broker has accepted it.
     *
     * @throws IllegalStateException if some of it came over a connection that was lost since;
     *     nothing is acknowledged then, and the next call is for what was delivered since
     */
    void acknowledgeDelivered() throws ClientException, IllegalStateException {
        if (isWorkLost) {
            isWorkLost = false;
            throw workLost(null);
        }
        if (!unsettled.isEmpty()) {
            client().call(new Command.Acknowledge(unsettled.build(), client().nextOpaque()));
            unsettled.clear();
        }
    }

    /** What was delivered and is not settled. */
    Settlement unsettled() {
        return unsettled.build();
    }

    /** The transaction took care of what was delivered. */
    void clearUnsettled() {
        unsettled.clear();
    }

    /** What is delivered from now on belongs to a branch, or no longer does. */
    void setInBranch(boolean inBranch) {
        isInBranch = inBranch;
    }

    /** Gives back what was delivered, so that it comes again, in order. */
    void recover() throws ClientException {
        isWorkLost = false;
        recover("", true);
    }

    private void recover(String reason, boolean delivered) throws ClientException {
        flushLazy();
        if (unsettled.isEmpty()) {
            client().flush();
            return;
        }
        Command release =
                new Command.Release(unsettled.build(), delivered, reason, client().nextOpaque());
        unsettled.clear();
        giveBack(release);
    }

    /**
     * Gives back what was delivered by this command, then what was fetched ahead as undelivered.
     *
     * <p>Order: a consumer may have an acquire at the broker that was answered with later messages
     * before the earlier ones are back. A stopped consumer asks for nothing new, so whatever has
     * arrived by the time that the broker answered goes back as well, until nothing more comes.
     *
     * @param delivered releases what was delivered, or rolls it back; null: nothing was. The caller
     *     no longer counts it as unsettled; what is may belong to another branch by now
     */
    void giveBack(@Nullable Command delivered) throws ClientException {
        consumers.forEach(consumer -> consumer.pull().stop());
        try {
            CompletableFuture<Reply> first = delivered == null ? null : client().send(delivered);
            Settlement undelivered = drain();
            if (!undelivered.isEmpty()) {
                client().call(new Command.Release(undelivered, false, client().nextOpaque()));
            }
            if (first != null) {
                Waiting.await(client(), first);
            }
            releaseFetched();
        } finally {
            if (isStarted && !isClosing) {
                consumers.forEach(MetaQConsumer::startPull);
            }
        }
    }

    /** Gives back what was fetched or loaded and not handed out. */
    void releaseFetched() throws ClientException {
        for (Settlement late = drain(); !late.isEmpty(); late = drain()) {
            client().call(new Command.Release(late, false, client().nextOpaque()));
        }
    }

    private Settlement drain() {
        SettlementBuilder undelivered = new SettlementBuilder();
        loaded.drainInto(undelivered);
        consumers.forEach(consumer -> consumer.drainInto(undelivered));
        return undelivered.build();
    }

    /** Closes all consumers; what was delivered must be settled, what was fetched goes back. */
    void closeConsumers() throws ClientException {
        flushLazy();
        loaded.release();
        for (MetaQConsumer consumer : new ArrayList<>(consumers)) {
            consumer.markClosed();
            detach(consumer);
        }
        LOG.trace("closed the consumers of a session of {}", client().connectionId());
    }
}
