package org.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAResource;
import org.metaq.jms.xa.MetaQXAResource;

/**
 * A session whose work belongs to the branch that its {@link XAResource} has started. Outside of a
 * branch it behaves like a session with AUTO_ACKNOWLEDGE: sends are done at once and receipts
 * acknowledged; nothing waits for a transaction that may never come.
 */
final class MetaQXASession extends MetaQSession implements XAQueueSession, XATopicSession {
    private final MetaQXAResource resource;

    MetaQXASession(MetaQXAConnection connection, int number, Domain domain) {
        super(connection, number, AcknowledgeMode.XA, domain);
        this.resource = new MetaQXAResource(new XaBranchWork(core()));
    }

    /** Works also when the session is closed: its last branch is still to be finished. */
    @Override
    public MetaQXAResource getXAResource() {
        return resource;
    }

    @Override
    public Session getSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public QueueSession getQueueSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public TopicSession getTopicSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public void commit() throws JMSException {
        checkOpen();
        throw new TransactionInProgressException(
                "an XASession is committed by its transaction manager");
    }

    @Override
    public void rollback() throws JMSException {
        checkOpen();
        throw new TransactionInProgressException(
                "an XASession is rolled back by its transaction manager");
    }
}
