package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.PullConsumer;
import org.metaq.common.BranchId;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;
import org.metaq.protocol.SubscribeOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a session does: binds inbox, outbox, transaction and threads together under the session's
 * lock, which orders the application's thread, the listener thread and whoever closes.
 */
final class SessionCore {
    private static final long LOCK_WAIT_MS = 50;
    private static final Logger LOG = LoggerFactory.getLogger(SessionCore.class);

    private final MetaQConnection connection;
    private final SessionLink link;
    private final int number;
    private final AcknowledgeMode mode;
    private final ReentrantLock lock = new ReentrantLock();
    private final SessionInbox inbox;
    private final SessionOutbox outbox;
    private final LocalTransaction transaction;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable ListenerThread listenerThread;
    private @Nullable BranchId xaBranch;
    private boolean isBranchLost;
    private boolean isCloseBegun;

    // Written under the lock, read by any thread.
    private volatile boolean isClosed;

    SessionCore(MetaQConnection connection, int number, AcknowledgeMode mode) {
        this.connection = connection;
        this.link = new SessionLink(connection.client());
        this.number = number;
        this.mode = mode;
        this.inbox = new SessionInbox(lock, link, mode);
        this.outbox = new SessionOutbox(this, lock, connection);
        this.transaction =
                new LocalTransaction(
                        connection,
                        link,
                        inbox,
                        outbox.pending(),
                        connection.name() + "-" + number);
    }

    MetaQConnection connection() {
        return connection;
    }

    /** Its number on the connection. */
    int number() {
        return number;
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
        return "metaq-" + connection.name() + "-" + role + "-" + number;
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

    /** The connection is lost, for now or for good: whoever waits looks what has become of it. */
    void connectionLost() {
        inbox.signal().raise();
    }

    /** The connection is lost for good. */
    void connectionEnded(ClientException why) {
        outbox.unanswered().fail(why);
        inbox.signal().raise();
    }

    // ---- from a lost connection to the next

    /** The connection to the broker that the session works on. */
    ClientConnection client() {
        return link.client();
    }

    /**
     * The connection to work on, which lives if there is any: waits for it if it is lost and made
     * anew, and moves there. The caller holds the lock.
     *
     * @throws ClientException if there will be none
     */
    ClientConnection ready() throws ClientException {
        ClientConnection now = connection.awaitClient();
        if (now != link.client()) {
            follow(now);
        }
        return now;
    }

    /**
     * Moves to the connection that there is, unless it is there already or closing. On the thread
     * that makes connections: it must not wait for a session whose thread waits for a connection.
     */
    void follow() {
        try {
            while (!lock.tryLock(LOCK_WAIT_MS, TimeUnit.MILLISECONDS)) {
                if (!connection.client().isOpen()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("session {} is not moved: the connection is being closed", number);
            return;
        }
        try {
            ClientConnection now = connection.client();
            if (!isCloseBegun && now.isOpen() && now != link.client()) {
                follow(now);
            }
        } finally {
            lock.unlock();
        }
        inbox.signal().raise();
    }

    /**
     * First nothing of what was held on the old connection counts any more, then unanswered sends
     * are repeated, then the consumers come back.
     */
    private void follow(ClientConnection now) {
        link.follow(now);
        inbox.forgetLost(now);
        if (mode == AcknowledgeMode.TRANSACTED) {
            transaction.forgetLost();
        }
        isBranchLost |= xaBranch != null;
        outbox.unanswered().repeat(now);
        for (MetaQConsumer consumer : inbox.consumers()) {
            if (!consumer.isClosed()) {
                follow(consumer, now);
            }
        }
    }

    private void follow(MetaQConsumer consumer, ClientConnection now) {
        Subscription subscription = consumer.subscription();
        try {
            // where it starts was said when it was opened
            SubscribeOptions first = subscription.options(connection.settings());
            SubscribeOptions again = first.withoutStart();
            consumer.follow(pull(subscription, again, now));
            if (inbox.isStarted()) {
                consumer.startPull();
            }
        } catch (ClientException e) {
            if (e.isConnectionLost()) {
                LOG.debug("{} comes back with the next connection", subscription);
                return;
            }
            consumer.fail(e);
            connection.report(JmsErrors.of("subscribe again to " + subscription, e));
        }
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
                listenerThread = new ListenerThread(threadName("listener"), connection, inbox);
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

    /** Consumers go first: they must not take what the session gives back from its siblings. */
    private void settleAtClose() throws JMSException, ClientException {
        inbox.closeConsumers();
        switch (mode) {
            case TRANSACTED -> transaction.rollback();
            case XA -> {
                // What an open branch consumed stays until the transaction manager ends it.
            }
            default -> inbox.recover();
        }
    }

    // ---- transactions and acknowledgement

    /**
     * The branch that a send belongs to now, or null. The caller holds the lock.
     *
     * @throws TransactionRolledBackException if the branch was lost with a connection
     */
    @Nullable BranchId branchForSend() throws TransactionRolledBackException {
        if (mode == AcknowledgeMode.TRANSACTED) {
            return transaction.branchForSend();
        }
        if (isBranchLost) {
            throw new TransactionRolledBackException(
                    "the connection was lost and made anew: " + xaBranch + " was rolled back",
                    ErrorCode.CONNECTION_LOST.name());
        }
        return xaBranch;
    }

    /** Whether the branch that the session works in was lost with a connection. */
    boolean isBranchLost() {
        return isBranchLost;
    }

    /** Binds what is sent and received from now on to a branch; null: to none. Under the lock. */
    void setXaBranch(@Nullable BranchId branch) {
        xaBranch = branch;
        isBranchLost = false;
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
            if (e.isConnectionLost() && connection.isRecoverable()) {
                inbox.clearUnsettled();
                throw SessionInbox.workLost(e);
            }
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
        connection.destinations().requireReceivable(subscription.destination());
        while (true) {
            lock.lock();
            try {
                PullConsumer pull =
                        pull(subscription, subscription.options(connection.settings()), ready());
                MetaQConsumer consumer = new MetaQConsumer(this, inbox, subscription, pull);
                if (!inbox.attach(consumer)) {
                    throw new IllegalStateException("the session is being closed");
                }
                return consumer;
            } catch (ClientException e) {
                if (!e.isConnectionLost() || !connection.isRecoverable()) {
                    throw JmsErrors.of("subscribe to " + subscription, e);
                }
                LOG.debug("subscribe to {} on the next connection", subscription);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Subscribes, with a consumer id that no other consumer of the connection ever had. One round
     * trip if the destination exists; else it is looked up, which creates it.
     */
    private PullConsumer pull(
            Subscription subscription, SubscribeOptions options, ClientConnection client)
            throws ClientException {
        int consumerId = connection.nextConsumerId();
        Reply reply;
        try {
            reply = subscribe(subscription, options, client, consumerId);
        } catch (ClientException e) {
            MetaQDestination destination = subscription.destination();
            if (e.code() != ErrorCode.NO_SUCH_DESTINATION || destination.kind().isTemporary()) {
                throw e;
            }
            connection.destinations().forget(destination);
            var unused = connection.destinations().resolve(destination, client);
            reply = subscribe(subscription, options, client, consumerId);
        }
        PullConsumer pull =
                new PullConsumer(
                        client,
                        consumerId,
                        Long.parseLong(Replies.text(reply).trim()),
                        subscription.prefetch(connection.settings()),
                        inbox.signal()::raise);
        pull.onFailure(failure -> pullFailed(subscription, failure));
        return pull;
    }

    private static Reply subscribe(
            Subscription subscription,
            SubscribeOptions options,
            ClientConnection client,
            int consumerId)
            throws ClientException {
        return client.call(
                new Command.Subscribe(
                        consumerId,
                        subscription.destination().physicalName().text(),
                        subscription.name(),
                        subscription.isDurable(),
                        subscription.isShared(),
                        subscription.isNoLocal(),
                        subscription.selector(),
                        options,
                        client.nextOpaque()));
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
        boolean isRepeated = false;
        while (true) {
            try {
                ClientConnection client = connection.awaitClient();
                client.call(new Command.Unsubscribe(name, client.nextOpaque()));
                return;
            } catch (ClientException e) {
                if (isRepeated && e.code() == ErrorCode.NO_SUCH_SUBSCRIPTION) {
                    // the first, whose answer was lost with the connection, was done
                    return;
                }
                if (!e.isConnectionLost() || !connection.isRecoverable()) {
                    throw JmsErrors.of("unsubscribe " + name, e);
                }
                isRepeated |= e.isOutcomeUnknown();
            }
        }
    }
}
