package org.metaq.jms.session;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import org.jspecify.annotations.Nullable;

/** A connection whose sessions can take part in distributed transactions. Thread-safe. */
public final class MetaQXAConnection extends MetaQConnection
        implements XAQueueConnection, XATopicConnection {

    private MetaQXAConnection(ConnectionSettings settings, Domain domain) throws JMSException {
        super(settings, domain);
    }

    /**
     * Connects, as {@link MetaQConnection#open} does.
     *
     * @throws JMSException as there
     */
    public static MetaQXAConnection open(ConnectionSettings settings, Domain domain)
            throws JMSException {
        MetaQXAConnection opened = new MetaQXAConnection(settings, domain);
        opened.watch();
        return opened;
    }

    /** A session that does not count as use of the connection; for contexts. */
    MetaQXASession newXaSession(Domain sessionDomain) throws JMSException {
        checkOpen();
        return add(new MetaQXASession(this, nextSessionNumber(), sessionDomain));
    }

    @Override
    public XASession createXASession() throws JMSException {
        markUsed();
        return newXaSession(domain());
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        markUsed();
        return newXaSession(Domain.QUEUE);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        markUsed();
        return newXaSession(Domain.TOPIC);
    }

    /**
     * A session with one consumer for the endpoints of an application server, which hands out
     * messages while the connection is started.
     *
     * @param selector null or empty: none
     * @param acknowledgeMode {@link Session#AUTO_ACKNOWLEDGE}: each message by the branch that took
     *     it in, or once it is returned; {@link Session#DUPS_OK_ACKNOWLEDGE}: once returned,
     *     several together, without branches
     * @param onArrival run when there may be something for {@link EndpointSession#next}, and when
     *     the connection is lost or the session closed; by whatever thread notices, with locks of
     *     the session held: it must not wait, nor call the session
     * @throws jakarta.jms.InvalidDestinationException if there is no such destination, or a queue
     *     is to have a named subscription
     * @throws jakarta.jms.InvalidSelectorException if the selector is none
     * @throws JMSException if the mode is none of the two, the broker refuses, or the connection is
     *     closed
     */
    public EndpointSession createEndpointSession(
            Destination destination,
            @Nullable String selector,
            EndpointSubscription subscription,
            int acknowledgeMode,
            Runnable onArrival)
            throws JMSException {
        markUsed();
        return EndpointSession.open(
                this, subscription.of(destination, selector), acknowledgeMode, onArrival);
    }
}
