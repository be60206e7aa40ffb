package org.metaq.tm;

import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.XAConnectionFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A physical connection, with what can be done on it. One lease has it at a time, and nobody while
 * it lies in the pool.
 *
 * <p>Confined to the lease's thread, but for its end: {@link #spend}, {@link #close} and the news
 * of its loss come from any thread.
 */
abstract class Link {
    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    private final LinkKey key;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    // Written by the lease's thread, read by the provider's that reports a loss.
    private volatile @Nullable ExceptionListener listener;

    // Written by whoever finds that it must not be used again, read when it goes back.
    private volatile boolean isSpent;

    Link(LinkKey key) {
        this.key = key;
    }

    /**
     * Connects, with a connection that is stopped.
     *
     * @throws JMSException as the factory does
     */
    static Link open(XAConnectionFactory factory, LinkKey key) throws JMSException {
        return switch (key.api()) {
            case CLASSIC -> ClassicLink.open(factory, key);
            case SIMPLIFIED -> SimplifiedLink.open(factory, key);
        };
    }

    final LinkKey key() {
        return key;
    }

    // ---- what it is for

    /** The session or context whose work belongs to the branch that the resource has started. */
    abstract Object enlisted();

    /** The resource of {@link #enlisted}. */
    abstract XAResource resource();

    /**
     * A new session or context beside it, which takes part in no branch.
     *
     * @param mode a constant of {@code Session} or {@code JMSContext}, which are the same
     */
    abstract Object ordinary(int mode) throws JMSException;

    abstract void start() throws JMSException;

    abstract void stop() throws JMSException;

    abstract ConnectionMetaData metaData() throws JMSException;

    abstract @Nullable String clientId() throws JMSException;

    // ---- its end

    /** Who else wants to know when it is lost; null: nobody. */
    final void setListener(@Nullable ExceptionListener newListener) {
        listener = newListener;
    }

    final @Nullable ExceptionListener listener() {
        return listener;
    }

    /** The provider says that the connection is lost. */
    final void lost(JMSException failure) {
        spend();
        ExceptionListener told = listener;
        if (told != null) {
            told.onException(failure);
        }
    }

    /** It shall not go back into the pool: it is lost, or not as good as a new one. */
    final void spend() {
        isSpent = true;
    }

    final boolean isSpent() {
        return isSpent;
    }

    /** Makes it as good as new; false if it is not. */
    final boolean renew() {
        listener = null;
        try {
            if (!isSpent) {
                stop();
            }
        } catch (JMSException | JMSRuntimeException e) {
            LOG.debug("a connection is not used again: {}", e.getMessage());
            spend();
        }
        return !isSpent;
    }

    /** Closes the connection, and with it all that is open on it. A second call does nothing. */
    final void close() {
        spend();
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        try {
            disconnect();
        } catch (JMSException | JMSRuntimeException e) {
            LOG.debug("closing a connection: {}", e.getMessage());
        }
    }

    abstract void disconnect() throws JMSException;
}
