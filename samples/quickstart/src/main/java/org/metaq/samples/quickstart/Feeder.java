package org.metaq.samples.quickstart;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import org.metaq.jms.MetaQConnectionFactory;

/** Sends every order to the queue, many in one transaction: a commit costs one disk force. */
final class Feeder {
    private static final int COUNT_MAX = 500;

    private final MetaQConnectionFactory factory;
    private final Progress progress;
    private final OrderHash sent = new OrderHash();
    private long bytes;

    Feeder(MetaQConnectionFactory factory, Progress progress) {
        this.factory = factory;
        this.progress = progress;
    }

    /** Sends the orders of a file; when it returns, all are durable. */
    void feed(OrderFile file) throws IOException, JMSException, FailedException {
        try (OrderFile.Lines lines = file.open();
                Connection connection = factory.createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(Names.ORDERS));
            long uncommittedBytes = 0;
            for (String order = lines.next(); order != null; order = lines.next()) {
                int number = sent.add(order);
                check(number, order);
                TextMessage message = session.createTextMessage(order);
                message.setIntProperty(Names.NUMBER, number);
                producer.send(message);
                bytes += order.length();
                uncommittedBytes += order.length();
                if (number % COUNT_MAX == 0 || uncommittedBytes > Batching.BYTES_MAX) {
                    session.commit();
                    uncommittedBytes = 0;
                    progress.count(number);
                }
            }
            session.commit();
        }
    }

    private static void check(int number, String order) throws FailedException {
        if (order.length() > Orderbook.TEXT_LENGTH_MAX) {
            throw new FailedException(
                    "line "
                            + number
                            + " has "
                            + order.length()
                            + " characters; an order here has at most "
                            + Orderbook.TEXT_LENGTH_MAX);
        }
    }

    /** Hashes of what was sent. */
    OrderHash sent() {
        return sent;
    }

    /** Characters sent. */
    long bytes() {
        return bytes;
    }
}
