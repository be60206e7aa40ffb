package org.metaq.samples.quickstart;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.metaq.jms.MetaQConnectionFactory;

/** The durable subscriber of the confirmations, who may be away while they are sent. */
final class Audit {
    /** Nothing for so long: that was all. */
    private static final long SILENCE_MS = 2_000;

    private final MetaQConnectionFactory factory;

    Audit(MetaQConnectionFactory factory) {
        this.factory = factory;
    }

    /** Subscribes; from now on confirmations are kept. */
    void subscribe() throws JMSException {
        try (Connection connection = factory.createConnection()) {
            consumer(connection).close();
        }
    }

    private static MessageConsumer consumer(Connection connection) throws JMSException {
        connection.setClientID(Names.AUDITOR);
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        return session.createDurableConsumer(session.createTopic(Names.CONFIRMATIONS), Names.AUDIT);
    }

    /** Counts what was kept, until nothing more comes: a duplicate would be behind the last one. */
    void drain(Tally tally, Progress progress) throws JMSException {
        try (Connection connection = factory.createConnection()) {
            MessageConsumer consumer = consumer(connection);
            connection.start();
            for (Message message = consumer.receive(SILENCE_MS);
                    message != null;
                    message = consumer.receive(SILENCE_MS)) {
                tally.add(
                        message.getIntProperty(Names.NUMBER), message.getLongProperty(Names.HASH));
                progress.count(tally.total());
            }
        }
    }

    /** Prepared branches at the broker that nobody has finished. */
    static int inDoubt(MetaQConnectionFactory factory) throws JMSException, XAException {
        try (XAConnection connection = factory.createXAConnection()) {
            return connection
                    .createXASession()
                    .getXAResource()
                    .recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)
                    .length;
        }
    }
}
