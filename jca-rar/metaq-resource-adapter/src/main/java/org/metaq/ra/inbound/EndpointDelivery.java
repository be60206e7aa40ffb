package org.metaq.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.lang.reflect.Method;
import java.util.function.BooleanSupplier;
import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.EndpointSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the messages of one session to an endpoint, one at a time, as Jakarta Connectors 2.1
 * §13.5.6 (option B) has it: the container begins a transaction in {@code beforeDelivery} if there
 * is to be one, and ends it in {@code afterDelivery}. Confined to the thread that drives the
 * session.
 */
final class EndpointDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointDelivery.class);

    /** The one method of a message listener. */
    static final Method ON_MESSAGE = onMessage();

    /** What became of a message. */
    enum Outcome {
        /** The endpoint has dealt with it. */
        DONE,
        /** The endpoint threw, or its transaction was rolled back: it comes again. */
        FAILED,
        /** It comes again, but not because of the endpoint: that, or the broker, was not there. */
        NOT_TRIED
    }

    private final MessageEndpointFactory factory;
    private final EndpointSession session;
    private final @Nullable EndpointResource resource;
    private final BooleanSupplier isCounted;

    /** Kept from message to message, until it behaves oddly. */
    private @Nullable MessageEndpoint endpoint;

    private @Nullable Throwable failure;

    /**
     * For the messages of a session.
     *
     * @param isCounted whether a message that is given back now comes nearer to being a dead letter
     */
    EndpointDelivery(
            MessageEndpointFactory factory,
            EndpointSession session,
            boolean isTransacted,
            BooleanSupplier isCounted) {
        this.factory = factory;
        this.session = session;
        this.resource = isTransacted ? new EndpointResource(session, isCounted) : null;
        this.isCounted = isCounted;
    }

    private static Method onMessage() {
        try {
            return MessageListener.class.getMethod("onMessage", Message.class);
        } catch (NoSuchMethodException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Makes sure that there is an endpoint to deliver to.
     *
     * @throws UnavailableException if the container has none now
     */
    void prepare() throws UnavailableException {
        if (endpoint == null) {
            endpoint = factory.createEndpoint(resource);
        }
    }

    /**
     * Delivers a message that the session has handed out, and settles it.
     *
     * @throws JMSException if the broker could not be told what became of it
     */
    Outcome deliver(Message message) throws JMSException {
        MessageEndpoint current = endpoint;
        if (current == null) {
            throw new IllegalStateException("there is no endpoint: call prepare first");
        }
        failure = null;
        if (!begin(current)) {
            session.rollingBack("", false);
            session.returned(failure);
            release();
            return Outcome.NOT_TRIED;
        }
        call((MessageListener) current, message);
        end(current);
        return settle();
    }

    /** Why the last delivery did not go well; null: it did. */
    @Nullable Throwable failure() {
        return failure;
    }

    private boolean begin(MessageEndpoint current) {
        try {
            if (resource != null) {
                resource.begin();
            }
            current.beforeDelivery(ON_MESSAGE);
            return true;
        } catch (ResourceException | NoSuchMethodException | XAException | RuntimeException e) {
            failure = e;
            return false;
        }
    }

    private void call(MessageListener listener, Message message) {
        try {
            listener.onMessage(message);
        } catch (RuntimeException | Error e) {
            failure = e;
            if (resource != null) {
                resource.failed(e);
            }
        }
    }

    private void end(MessageEndpoint current) {
        try {
            current.afterDelivery();
        } catch (ResourceException | RuntimeException e) {
            LOG.debug("afterDelivery failed", e);
            if (failure == null) {
                failure = e;
            }
            release();
        }
    }

    private Outcome settle() throws JMSException {
        if (resource == null || !resource.isTaken()) {
            session.rollingBack("", isCounted.getAsBoolean());
        } else if (resource.isRolledBack() && failure == null) {
            failure = new Reason("the transaction was rolled back");
        }
        Throwable thrown = failure;
        session.returned(thrown == null || thrown instanceof Reason ? thrown : new Reason(thrown));
        if (thrown == null) {
            return Outcome.DONE;
        }
        return resource != null && resource.isBrokerLost() ? Outcome.NOT_TRIED : Outcome.FAILED;
    }

    /** Lets the container have the endpoint back; the next message gets another. */
    void release() {
        MessageEndpoint current = endpoint;
        endpoint = null;
        if (current != null) {
            try {
                current.release();
            } catch (RuntimeException e) {
                LOG.debug("an endpoint could not be released", e);
            }
        }
    }
}
