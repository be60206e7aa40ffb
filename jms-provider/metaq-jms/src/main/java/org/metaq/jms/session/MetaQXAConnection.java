package org.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;

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
}
