package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.PullConsumer;
import org.metaq.common.BranchId;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.protocol.Command;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a session does: binds inbox, outbox, transaction and threads together under the session's
 * lock, which orders the application's thread, the listener thread and whoever closes.
 */
final class SessionCore {
    private static final Logger LOG = LoggerFactory.getLogger(SessionCore.class);

    private final MetaQConnection connection;
    private final ClientConnection client;
    private final int number;
    private final AcknowledgeMode mode;
    private final ReentrantLock lock = new ReentrantLock();
    private final SessionInbox inbox;
    private final SessionOutbox outbox;
    private final LocalTransaction transaction;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable ListenerThread listenerThread;
    private @Nullable BranchId xaBranch;
    private boolean isCloseBegun;

    // Written under the lock, read by any thread.
    private volatile boolean isClosed;

    SessionCore(MetaQConnection connection, int number, AcknowledgeMode mode) {
        this.connection = connection;
        this.client = connection.client();
        this.number = number;
        this.mode = mode;
        this.inbox = new SessionInbox(lock, client, mode);
        this.outbox = new SessionOutbox(this, lock, connection);
        this.transaction =
                new LocalTransaction(
                        client, inbox, outbox.pending(), client.connectionId() + "-" + number);
    }

    MetaQConnection connection() {
        return connection;
    }

    AcknowledgeMode mode() {
        return mode;
    }

    ReentrantLock lock() {
        return lock;
    }

    SessionInbox inbox() {
        return inbox;
    }

    SessionOutbox outbox() {
        return outbox;
    }

    String threadName(String role) {
        return "metaq-" + client.connectionId() + "-" + role + "-" + number;
    }

    void checkOpen() throws IllegalStateException {
        if (isClosed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    /** Jakarta Messaging wants a JMSException for a bad name, where ours throw unchecked. */
    static String checkedName(String of, @Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new JMSException("the name of a " + of + " must not be empty");
        }
        return name;
    }

    // ---- life

    void start() {
        inbox.start();
    }

    void stop() {
        inbox.stop();
    }

    void connectionLost() {
        inbox.signal().raise();
    }

    /** True on a thread that runs a message listener of this session just now. */
    boolean isMessageListenerThread() {
        return inbox.isListenerThread();
    }

    /** True on a thread that runs a listener of this session, of whatever kind, just now. */
    boolean isCallbackThread() {
        return inbox.isListenerThread() || outbox.completions().isCallbackThread();
    }

    /** Makes sure that the listener thread runs. */
    void runListeners() {
        lock.lock();
        try {
            if (listenerThread == null && !isCloseBegun) {
                listenerThread = new ListenerThread(threadName("listener"), inbox);
                listenerThread.start();
            }
        } finally {
            lock.unlock();
        }
        inbox.signal().raise();
    }

    /**
     * Closes: hands out nothing more, waits for a running listener, which may still use the
     * session, and for completion listeners; gives back what is not settled, rolls back. From any
     * thread; a second call does nothing.
     *
     * @throws IllegalStateException if called by a listener of this session
     */
    void close() throws JMSException {
        if (isCallbackThread()) {
            throw new IllegalStateException("a listener must not close its own session");
        }
        ListenerThread listeners;
        boolean isSecond;
        lock.lock();
        try {
            isSecond = isCloseBegun;
            isCloseBegun = true;
            listeners = listenerThread;
        } finally {
            lock.unlock();
        }
        if (isSecond) {
            // A connection must not close under a session that still waits for its listener.
            Waiting.await(closed);
            return;
        }
        inbox.beginClose();
        if (listeners != null) {
            listeners.awaitEnd();
        }
        outbox.completions().close();
        lock.lock();
        try {
            settleAtClose();
        } catch (ClientException | JMSException e) {
            // The broker settles it the same way when it sees the connection go.
            LOG.debug("session {} closed without the broker: {}", number, e.getMessage());
        } finally {
            isClosed = true;
            lock.unlock();
            closed.countDown();
        }
    }

    private void settleAtClose() throws JMSException, ClientException {
        switch (mode) {
            case TRANSACTED -> transaction.rollback();
            case XA -> {
                // What an open branch consumed stays until the transaction manager ends it.
            }
            default -> inbox.recover();
        }
        inbox.closeConsumers();
    }

    // ---- transactions and acknowledgement

    /** The branch that a send belongs to now, or null. The caller holds the lock. */
    @Nullable BranchId branchForSend() {
        return mode == AcknowledgeMode.TRANSACTED ? transaction.branchForSend() : xaBranch;
    }

    /** Binds what is sent and received from now on to a branch; null: to none. Under the lock. */
    void setXaBranch(@Nullable BranchId branch) {
        xaBranch = branch;
        inbox.setInBranch(branch != null);
    }

    @Nullable BranchId xaBranch() {
        return xaBranch;
    }

    private void requireTransacted(String method) throws JMSException {
        checkOpen();
        outbox.completions().requireNotCallback(method);
        if (mode != AcknowledgeMode.TRANSACTED) {
            throw new IllegalStateException(method + " is for transacted sessions");
        }
    }

    void commit() throws JMSException {
        requireTransacted("commit");
        outbox.completions().await(null);
        lock.lock();
        try {
            checkOpen();
            transaction.commit();
        } finally {
            lock.unlock();
        }
    }

    void rollback() throws JMSException {
        requireTransacted("roll back");
        outbox.completions().await(null);
        lock.lock();
        try {
            checkOpen();
            transaction.rollback();
        } finally {
            lock.unlock();
        }
    }

    void recover() throws JMSException {
        checkOpen();
        if (mode.isTransacted()) {
            throw new IllegalStateException("recover is not for transacted sessions");
        }
        lock.lock();
        try {
            inbox.recover();
        } catch (ClientException e) {
            throw JmsErrors.of("recover the session", e);
        } finally {
            lock.unlock();
        }
    }

    /** What a message's and a context's acknowledge do: all that the session delivered. */
    void acknowledge() throws JMSException {
        checkOpen();
        if (mode != AcknowledgeMode.CLIENT) {
            return;
        }
        lock.lock();
        try {
            inbox.acknowledgeDelivered();
        } catch (ClientException e) {
            throw JmsErrors.of("acknowledge", e);
        } finally {
            lock.unlock();
        }
    }

    // ---- producers, consumers

    MetaQProducer createProducer(@Nullable MetaQDestination destination) throws JMSException {
        if (destination != null) {
            connection.destinations().resolve(destination);
        }
        return new MetaQProducer(this, outbox, destination);
    }

    MetaQConsumer createConsumer(Subscription subscription) throws JMSException {
        checkOpen();
        if (subscription.isDurable() && !subscription.isShared() && !connection.hasClientId()) {
            throw new IllegalStateException(
                    "an unshared durable subscription needs a client id on its connection");
        }
        Destinations destinations = connection.destinations();
        destinations.requireReceivable(subscription.destination());
        String topic = destinations.resolve(subscription.destination()).physicalName();
        int consumerId = connection.nextConsumerId();
        long subscriptionId;
        try {
            subscriptionId =
                    Long.parseLong(
                            Replies.text(
                                            client.call(
                                                    new Command.Subscribe(
                                                            consumerId,
                                                            topic,
                                                            subscription.name(),
                                                            subscription.isDurable(),
                                                            subscription.isShared(),
                                                            subscription.isNoLocal(),
                                                            subscription.selector(),
                                                            subscription.options(
                                                                    connection.settings()),
                                                            client.nextOpaque())))
                                    .trim());
        } catch (ClientException e) {
            throw JmsErrors.of("subscribe to " + subscription, e);
        }
        PullConsumer pull =
                new PullConsumer(
                        client,
                        consumerId,
                        subscriptionId,
                        subscription.prefetch(connection.settings()),
                        inbox.signal()::raise);
        pull.onFailure(failure -> pullFailed(subscription, failure));
        MetaQConsumer consumer = new MetaQConsumer(this, inbox, subscription, pull);
        if (!inbox.attach(consumer)) {
            throw new IllegalStateException("the session is being closed");
        }
        return consumer;
    }

    private void pullFailed(Subscription subscription, ClientException failure) {
        inbox.signal().raise();
        if (!failure.isConnectionLost()) {
            connection.report(JmsErrors.of("receive from " + subscription, failure));
        }
    }

    void unsubscribe(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("no subscription named");
        }
        try {
            client.call(new Command.Unsubscribe(name, client.nextOpaque()));
        } catch (ClientException e) {
            throw JmsErrors.of("unsubscribe " + name, e);
        }
    }
}
