package org.metaq.samples.quickstart;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.XASession;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.MetaQConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mover's connections to broker and database. Confined to its thread. */
final class Links implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Links.class);

    private final jakarta.jms.XAConnection broker;
    private final XASession session;
    private final MessageConsumer orders;
    private final MessageProducer confirmations;
    private final XAConnection database;
    private final Connection orderbook;

    private Links(jakarta.jms.XAConnection broker, XAConnection database)
            throws JMSException, SQLException {
        this.broker = broker;
        this.database = database;
        // One for all transactions: closing it within one would undo its work.
        this.orderbook = database.getConnection();
        this.session = broker.createXASession();
        this.orders = session.createConsumer(session.createQueue(Names.ORDERS));
        this.confirmations = session.createProducer(session.createTopic(Names.CONFIRMATIONS));
        broker.start();
    }

    static Links open(MetaQConnectionFactory factory, Orderbook orderbook)
            throws JMSException, SQLException {
        jakarta.jms.XAConnection broker = factory.createXAConnection();
        try {
            return new Links(broker, orderbook.xaConnection());
        } catch (JMSException | SQLException e) {
            broker.close();
            throw e;
        }
    }

    XAResource jmsResource() {
        return session.getXAResource();
    }

    XAResource databaseResource() throws SQLException {
        return database.getXAResource();
    }

    /** The next order, or null if none comes in time. */
    @Nullable Message receive(long timeoutMs) throws JMSException {
        return orders.receive(timeoutMs);
    }

    void insert(int number, String text) throws SQLException {
        Orderbook.insert(orderbook, number, text);
    }

    void confirm(int number, long hash) throws JMSException {
        Message confirmation = session.createMessage();
        confirmation.setIntProperty(Names.NUMBER, number);
        confirmation.setLongProperty(Names.HASH, hash);
        confirmations.send(confirmation);
    }

    @Override
    public void close() {
        try {
            broker.close();
        } catch (JMSException e) {
            LOG.info("closing the connection to the broker: {}", e.getMessage());
        }
        try {
            database.close();
        } catch (SQLException e) {
            LOG.info("closing the connection to the database: {}", e.getMessage());
        }
    }
}
