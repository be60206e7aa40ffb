package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.metaq.client.PullConsumer;
import org.metaq.client.SettlementBuilder;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.message.MessageCodec;
import org.metaq.jms.message.MetaQMessage;
import org.metaq.protocol.Delivery;

/**
 * A consumer of any kind. Confined as its session is, but for {@link #close}; what hands out is
 * guarded by the session's lock.
 */
final class MetaQConsumer implements QueueReceiver, TopicSubscriber {
    private final SessionCore session;
    private final SessionInbox inbox;
    private final MetaQDestination destination;
    private final Subscription subscription;
    private final int prefetch;

    /** Replaced, under the session's lock, when the connection was lost and made anew. */
    private volatile PullConsumer pull;

    /** Why it could not come back with the connection. */
    private volatile @Nullable ClientException lostFor;

    /** Given back by a receiver that could not take it; guarded by the session's lock. */
    private @Nullable Handed returned;

    /** Guarded by the session's lock. */
    private boolean isPaused;

    // Written by the session's thread or whoever closes, read by the listener thread.
    private volatile @Nullable MessageListener listener;
    private volatile boolean isClosed;

    MetaQConsumer(
            SessionCore session, SessionInbox inbox, Subscription subscription, PullConsumer pull) {
        this.session = session;
        this.inbox = inbox;
        this.destination = subscription.destination();
        this.subscription = subscription;
        this.prefetch = subscription.prefetch(session.connection().settings());
        this.pull = pull;
    }

    PullConsumer pull() {
        return pull;
    }

    MetaQDestination destination() {
        return destination;
    }

    @Nullable MessageListener listener() {
        return listener;
    }

    boolean isClosed() {
        return isClosed;
    }

    void markClosed() {
        isClosed = true;
    }

    Subscription subscription() {
        return subscription;
    }

    /** Goes on with what the next connection brings. Under the session's lock. */
    void follow(PullConsumer next) {
        returned = null;
        pull = next;
    }

    /** It will not come back: the broker refused to subscribe it again. */
    void fail(ClientException why) {
        lostFor = why;
    }

    /**
     * Whether this failure is no end: another connection follows, and the consumer with it; or the
     * connection is being closed, and this consumer will be.
     */
    boolean comesBackAfter(ClientException failure) {
        MetaQConnection connection = session.connection();
        return failure.isConnectionLost()
                && lostFor == null
                && (connection.isRecoverable() || connection.isClosed());
    }

    private void checkOpen() throws IllegalStateException {
        if (isClosed) {
            throw new IllegalStateException("the consumer of " + destination + " is closed");
        }
        session.checkOpen();
    }

    // ---- for the inbox, under the session's lock

    /**
     * The next message that the application shall see, or null if there is none now.
     *
     * @throws JMSException if a message cannot be read; it was given back
     */
    @Nullable Handed next(boolean askBroker) throws JMSException, ClientException {
        Handed first = returned;
        returned = null;
        if (first != null && pull.failure() == null) {
            return first;
        }
        while (true) {
            Delivery delivery = askBroker ? pull.pollNow() : pull.poll();
            if (delivery == null) {
                return null;
            }
            Handed handed = new Handed(this, pull, delivery, decode(delivery));
            if (!isLeftOut(handed.message())) {
                return handed;
            }
            inbox.acknowledge(handed);
        }
    }

    private MetaQMessage decode(Delivery delivery) throws JMSException, ClientException {
        try {
            MetaQMessage message =
                    MessageCodec.decode(delivery, session.connection().settings().allowList());
            if (message.getJMSDestination() == null) {
                message.setJMSDestination(destination);
            }
            message.setAcknowledger(session::acknowledge);
            return message;
        } catch (JMSException e) {
            inbox.reject(pull.subscriptionId(), delivery);
            throw e;
        }
    }

    /** Expired in the buffer (Jakarta Messaging 3.1 §3.4.9), or this connection's own. */
    private boolean isLeftOut(MetaQMessage message) {
        long expiration = message.getJMSExpiration();
        if (expiration != 0 && expiration <= System.currentTimeMillis()) {
            return true;
        }
        return subscription.isNoLocal() && session.connection().origin().equals(message.origin());
    }

    /** Keeps a message, as never delivered, for the next receive. */
    void putBack(Handed handed) {
        returned = handed;
    }

    /** Adds to a settlement what was fetched and not handed out, and forgets it. */
    void drainInto(SettlementBuilder undelivered) {
        Handed first = returned;
        if (first != null) {
            undelivered.add(pull.subscriptionId(), first.delivery());
            returned = null;
        }
        undelivered.addAll(pull.subscriptionId(), pull.drain());
    }

    /** Asks for messages from now on, unless it is paused. */
    void startPull() {
        if (!isPaused) {
            pull.start();
        }
    }

    /** Asks for nothing, whoever starts it; the caller gives back what was fetched. */
    void pause() {
        isPaused = true;
        pull.pause();
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Ends a {@link #pause}; it is still to be started. */
    void endPause() {
        isPaused = false;
    }

    /** Without prefetch nothing is fetched that nobody asked for. */
    void requestIfUnbuffered() {
        if (prefetch == 0) {
            pull.request();
        }
    }

    // ---- receive

    @Override
    public @Nullable Message receive() throws JMSException {
        return receiveAs(Long.MAX_VALUE, message -> message);
    }

    @Override
    public @Nullable Message receive(long timeout) throws JMSException {
        return receiveAs(timeout == 0 ? Long.MAX_VALUE : timeout, message -> message);
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        return receiveAs(0, message -> message);
    }

    /**
     * Receives and converts in one step. What becomes of a message that cannot be converted depends
     * on the acknowledgement mode, see {@link SessionInbox#receive}.
     *
     * @param timeoutMs {@link Long#MAX_VALUE}: no limit; 0: no wait
     * @return null if none came in time, or the consumer was closed meanwhile
     */
    <T> @Nullable T receiveAs(long timeoutMs, Receiver<T> receiver) throws JMSException {
        checkOpen();
        if (listener != null) {
            throw new IllegalStateException(
                    "the consumer of " + destination + " has a listener: receive is not for it");
        }
        if (timeoutMs == 0) {
            T result = inbox.receive(this, true, receiver);
            if (result == null) {
                checkFailure();
            }
            return result;
        }
        boolean isForever = timeoutMs == Long.MAX_VALUE;
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            long seen = inbox.signal().version();
            T result = inbox.receive(this, false, receiver);
            if (result != null || isClosed || inbox.isClosing()) {
                return result;
            }
            checkFailure();
            long leftNs = isForever ? Long.MAX_VALUE : deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                return null;
            }
            requestIfUnbuffered();
            await(seen, leftNs);
        }
    }

    private void await(long seen, long leftNs) throws JMSException {
        try {
            inbox.await(seen, leftNs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.withCause(
                    new JMSException("interrupted while receiving from " + destination), e);
        }
    }

    /** Fails if it ended and does not come back. */
    void checkFailure() throws JMSException {
        ClientException refused = lostFor;
        ClientException failure = refused != null ? refused : pull.failure();
        if (failure != null && !isClosed && !comesBackAfter(failure)) {
            throw JmsErrors.of("receive from " + destination, failure);
        }
    }

    // ---- listener

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener newListener) throws JMSException {
        checkOpen();
        listener = newListener;
        if (newListener == null) {
            inbox.awaitListener(this);
        } else {
            session.runListeners();
        }
    }

    // ---- the rest

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return subscription.selector().isEmpty() ? null : subscription.selector();
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        if (destination instanceof Queue queue) {
            return queue;
        }
        throw new IllegalStateException(destination + " is not a queue");
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        if (destination instanceof Topic topic) {
            return topic;
        }
        throw new IllegalStateException(destination + " is not a topic");
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        checkOpen();
        return subscription.isNoLocal();
    }

    /**
     * Closes. A receive that waits returns null; a running listener is waited for, unless it is
     * this consumer's own that closes. What was fetched ahead goes back; what was delivered stays
     * with the session until it is settled. From any thread.
     */
    @Override
    public void close() throws JMSException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        inbox.signal().raise();
        inbox.awaitListener(this);
        try {
            inbox.detach(this);
        } catch (ClientException e) {
            if (!e.isConnectionLost()) {
                throw JmsErrors.of("close the consumer of " + destination, e);
            }
        }
    }
}
