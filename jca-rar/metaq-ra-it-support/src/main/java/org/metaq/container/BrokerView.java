package org.metaq.container;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import java.util.Enumeration;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.metaq.jms.MetaQConnectionFactory;

/** What is in a broker. */
public final class BrokerView {
    private final String uri;

    /** Of the broker that is reached by a URI. */
    public BrokerView(String uri) {
        this.uri = uri;
    }

    /** Branches that are prepared and not decided. */
    public int inDoubt() throws JMSException, XAException {
        try (XAConnection connection = new MetaQConnectionFactory(uri).createXAConnection()) {
            XAResource resource = connection.createXASession().getXAResource();
            return resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN).length;
        }
    }

    /** Messages in a queue that nobody has taken. */
    public int depth(String queue) throws JMSException {
        try (Connection connection = new MetaQConnectionFactory(uri).createConnection();
                Session session = connection.createSession();
                QueueBrowser browser = session.createBrowser(session.createQueue(queue))) {
            connection.start();
            int count = 0;
            Enumeration<?> messages = browser.getEnumeration();
            while (messages.hasMoreElements()) {
                messages.nextElement();
                count++;
            }
            return count;
        }
    }
}
