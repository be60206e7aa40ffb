package org.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.metaq.jms.xa.MetaQXAResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session with one consumer, whose messages are handed out one at a time to whoever drives it:
 * for the message endpoints of an application server (Jakarta Connectors 2.1 chapter 13), whose
 * threads it runs on. Messages flow while the connection is started.
 *
 * <p>A message that was handed out is settled in one of two ways, before the next is asked for:
 *
 * <ul>
 *   <li>By a branch of {@link #xaResource} that is active at some time between {@link #next} and
 *       {@link #returned}, whether it was started before or after {@code next}: the commit
 *       acknowledges the message, the roll-back gives it back.
 *   <li>By {@link #returned}, if no branch took it in.
 * </ul>
 *
 * <p>When the connection is lost, what was handed out comes again from the broker. A branch that
 * had taken it in is rolled back, and one that is to take it in cannot be started (XAER_RMFAIL), so
 * that nothing is done twice. With a connection that is made anew the session goes on by itself.
 *
 * <p>{@link #awaitNext}, {@link #next} and {@link #returned} are for one thread at a time; the rest
 * is for any: the session's lock guards what they share.
 */
public final class EndpointSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointSession.class);

    private final MetaQSession session;
    private final @Nullable MetaQXAResource resource;
    private final SessionInbox inbox;
    private final MetaQConsumer consumer;
    private final BatchSource source;
    private final ReentrantLock lock;

    /** Guarded by the lock. */
    private @Nullable Handed handed;

    // Written by the driver and by whoever calls rollingBack, who must not wait for the lock.
    private volatile boolean isCounted = true;

    private EndpointSession(
            MetaQSession session, @Nullable MetaQXAResource resource, MetaQConsumer consumer) {
        this.session = session;
        this.resource = resource;
        this.inbox = session.core().inbox();
        this.consumer = consumer;
        this.source = new BatchSource(session.core(), consumer);
        this.lock = session.core().lock();
    }

    /** See {@link MetaQXAConnection#createEndpointSession}. */
    static EndpointSession open(
            MetaQXAConnection connection,
            Subscription subscription,
            int acknowledgeMode,
            Runnable onArrival)
            throws JMSException {
        MetaQSession session;
        MetaQXAResource resource = null;
        switch (acknowledgeMode) {
            case Session.AUTO_ACKNOWLEDGE -> {
                MetaQXASession xaSession = connection.newXaSession(Domain.UNIFIED);
                session = xaSession;
                resource = xaSession.getXAResource();
            }
            case Session.DUPS_OK_ACKNOWLEDGE ->
                    session = connection.newSession(AcknowledgeMode.DUPS_OK, Domain.UNIFIED);
            default ->
                    throw new JMSException(
                            "the mode of an endpoint session must be AUTO_ACKNOWLEDGE or"
                                    + " DUPS_OK_ACKNOWLEDGE, not "
                                    + acknowledgeMode);
        }
        try {
            session.core().inbox().signal().onRaise(onArrival);
            MetaQConsumer consumer = session.core().createConsumer(subscription);
            return new EndpointSession(session, resource, consumer);
        } catch (JMSException e) {
            session.close();
            throw e;
        }
    }

    /**
     * The resource whose branches take in what is handed out; always the same. It works also when
     * the session is closed, to finish what is unfinished.
     *
     * @throws IllegalStateException if the session is a DUPS_OK_ACKNOWLEDGE one
     */
    public XAResource xaResource() {
        if (resource == null) {
            throw new IllegalStateException(
                    "an endpoint session with DUPS_OK_ACKNOWLEDGE takes part in no transaction");
        }
        return resource;
    }

    /**
     * Waits for a message.
     *
     * @param timeoutMs longest wait, milliseconds; 0: looks only
     * @return whether {@link #next} has one; false also while paused, and when closed
     * @throws JMSException if the session gets no message any more: the connection is lost for
     *     good, or the broker refused the consumer when it came back
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean awaitNext(long timeoutMs) throws JMSException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            long seen = inbox.signal().version();
            if (hasNext()) {
                return true;
            }
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0 || inbox.isClosing()) {
                return false;
            }
            inbox.await(seen, leftNs);
        }
    }

    private boolean hasNext() throws JMSException {
        lock.lock();
        try {
            if (!isOpen()) {
                return false;
            }
            boolean isThere = source.hasNext();
            if (!isThere) {
                nothingLeft();
            }
            return isThere;
        } catch (ClientException e) {
            failed(e);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether it is not closed.
     *
     * @throws ClientException if the connection is lost: what was fetched over it comes again
     */
    private boolean isOpen() throws ClientException {
        if (inbox.isClosing()) {
            return false;
        }
        session.core().client().checkOpen();
        return true;
    }

    /** What was acknowledged is told now, as nothing may follow for long. */
    private void nothingLeft() throws ClientException, JMSException {
        consumer.checkFailure();
        consumer.requestIfUnbuffered();
        inbox.flushLazy();
        session.core().client().flush();
    }

    /**
     * Hands out the next message. One that cannot be read is given back as delivered, and logged.
     *
     * @return null if there is none now, while paused, and when closed
     * @throws JMSException as {@link #awaitNext}
     * @throws IllegalStateException if the message before it was not {@link #returned}
     */
    public @Nullable Message next() throws JMSException {
        lock.lock();
        try {
            checkReturned();
            return isOpen() ? handOut(source.next()) : null;
        } catch (ClientException e) {
            failed(e);
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * As {@link #next}, but passes over messages while there are others, also over more than are
     * fetched ahead: those that were passed over go back, as never delivered. If none is preferred,
     * it is the first.
     *
     * @param isPreferred whether a message is wanted before others; called with the session's lock
     *     held
     * @param lingerMs how long to wait for each further message, milliseconds
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public @Nullable Message nextPreferring(Predicate<Message> isPreferred, long lingerMs)
            throws JMSException, InterruptedException {
        List<Handed> passed = new ArrayList<>();
        try {
            long deadlineNs = 0;
            while (true) {
                long seen = inbox.signal().version();
                int before = passed.size();
                Message preferred = nextPassingOver(isPreferred, passed);
                if (preferred != null) {
                    return preferred;
                }
                long nowNs = System.nanoTime();
                if (passed.size() > before) {
                    deadlineNs = nowNs + TimeUnit.MILLISECONDS.toNanos(lingerMs);
                }
                if (passed.isEmpty() || nowNs - deadlineNs >= 0) {
                    return firstOf(passed);
                }
                inbox.await(seen, deadlineNs - nowNs);
            }
        } finally {
            giveBack(passed);
        }
    }

    /** All that is fetched before a preferred message is added to what was passed over. */
    private @Nullable Message nextPassingOver(Predicate<Message> isPreferred, List<Handed> passed)
            throws JMSException {
        lock.lock();
        try {
            checkReturned();
            if (!isOpen()) {
                return null;
            }
            Handed next = source.next();
            while (next != null && !isPreferred.test(next.message())) {
                passed.add(next);
                next = source.next();
            }
            return handOut(next);
        } catch (ClientException e) {
            failed(e);
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Null if there is none that can be handed out any more. */
    private @Nullable Message firstOf(List<Handed> passed) throws JMSException {
        lock.lock();
        try {
            passed.removeIf(message -> !message.isOf(session.core().client()));
            boolean isThere = !passed.isEmpty() && isOpen() && !consumer.isPaused();
            return isThere ? handOut(passed.remove(0)) : null;
        } catch (ClientException e) {
            failed(e);
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(List<Handed> passed) throws JMSException {
        lock.lock();
        try {
            passed.removeIf(message -> !message.isOf(session.core().client()));
            source.giveBack(passed);
        } catch (ClientException e) {
            failed(e);
        } finally {
            lock.unlock();
        }
    }

    private void checkReturned() {
        if (handed != null) {
            throw new IllegalStateException(handed.message() + " was not returned yet");
        }
    }

    /** Null: there is nothing now. */
    private @Nullable Message handOut(@Nullable Handed next) throws JMSException, ClientException {
        if (next == null) {
            nothingLeft();
            return null;
        }
        inbox.hold(next);
        isCounted = true;
        handed = next;
        session.core().client().flushSoon();
        return next.message();
    }

    /**
     * The endpoint is done with the message that was handed out. If no branch took it in, it is
     * acknowledged, or given back: at once and behind it all that was fetched, so that messages
     * come again in order; as delivered, unless {@link #rollingBack} says otherwise.
     *
     * @param failure why it is given back; its class and message go to the broker, for dead
     *     letters; null: it was dealt with
     * @throws JMSException if the broker could not be told: the message comes again. Not if the
     *     connection was lost and is made anew, although it comes again then, too
     */
    public void returned(@Nullable Throwable failure) throws JMSException {
        if (resource != null) {
            resource.awaitEnd();
        }
        lock.lock();
        try {
            Handed heard = handed;
            handed = null;
            if (heard != null) {
                inbox.settle(
                        heard, failure == null ? null : ListenerThread.reason(failure), isCounted);
            }
            if (inbox.isClosing()) {
                session.core().client().flush();
            }
        } catch (ClientException e) {
            failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** A lost connection is no failure if the consumer comes back with the next. */
    private void failed(ClientException e) throws JMSException {
        if (!consumer.comesBackAfter(e)) {
            throw JmsErrors.of("receive from " + consumer.subscription(), e);
        }
        LOG.debug("{} waits for a connection: {}", consumer.subscription(), e.getMessage());
    }

    /**
     * Says how the message that is handed out is given back, if it is. For a branch, the one that
     * was started last: by its roll-back over {@link #xaResource}; forgotten when the next is
     * started. Else by {@link #returned} with a failure; forgotten with {@link #next}.
     *
     * @param reason for dead letters that a roll-back makes; empty: not known
     * @param counted false: as if it had never been taken, so that it comes no nearer to being a
     *     dead letter. The messages of a prepared branch are counted in any case
     */
    public void rollingBack(String reason, boolean counted) {
        if (resource != null) {
            resource.rollingBack(ListenerThread.shortened(reason), counted);
        }
        isCounted = counted;
    }

    /**
     * Gives back all that was fetched and not handed out, as never delivered, and takes no more,
     * until {@link #resume}.
     *
     * @throws JMSException if the broker refused that; the session is paused nevertheless
     */
    public void pause() throws JMSException {
        lock.lock();
        try {
            source.pause();
            inbox.flushLazy();
            session.core().client().flush();
        } catch (ClientException e) {
            if (!e.isConnectionLost()) {
                throw JmsErrors.of("pause the consumer of " + consumer.subscription(), e);
            }
            LOG.debug("{} is paused without the broker", consumer.subscription());
        } finally {
            lock.unlock();
        }
    }

    /** Ends a {@link #pause}. */
    public void resume() {
        source.resume();
    }

    /**
     * Hands out nothing any more; gives back what was fetched. Does not wait for {@link #returned}:
     * what is handed out stays with its branch, or until it is returned; with DUPS_OK_ACKNOWLEDGE
     * it goes back as delivered. A second call does nothing.
     *
     * @throws JMSException as the close of a session does; not for a lost connection
     */
    @Override
    public void close() throws JMSException {
        session.close();
    }
}
