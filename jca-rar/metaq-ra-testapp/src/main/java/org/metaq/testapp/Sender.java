package org.metaq.testapp;

import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.ejb.EJBException;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** Sends and writes a row; each method is one transaction. */
@Stateless
public class Sender {
    @Resource(name = "jms/connectionFactory")
    private ConnectionFactory connectionFactory;

    @Resource private SessionContext context;
    @EJB private Rows rows;

    /** Sends one message and writes one row. */
    public void send(String queue, String text) {
        rows.insert("sent", text, 0);
        try (JMSContext jms = connectionFactory.createContext()) {
            jms.createProducer().send(jms.createQueue(queue), text);
        }
    }

    /** As {@link #send}, and marks the transaction for rollback. */
    public void sendAndRollBack(String queue, String text) {
        send(queue, text);
        context.setRollbackOnly();
    }

    /** As {@link #send}, and fails. */
    public void sendAndThrow(String queue, String text) {
        send(queue, text);
        throw new EJBException("as asked");
    }

    /** As {@link #send}, and the commit comes to a stop, see {@link Stall}. */
    public void sendAndStall(String queue, String text, Stall stall) {
        stall.enlistFirst();
        send(queue, text);
        stall.enlistLast();
    }

    /** Opens a connection and a session, sends and closes both, many times in one transaction. */
    public void openSendClose(String queue, String text, int count) {
        try {
            for (int i = 0; i < count; i++) {
                try (Connection connection = connectionFactory.createConnection();
                        Session session = connection.createSession()) {
                    session.createProducer(session.createQueue(queue))
                            .send(session.createTextMessage(text + i));
                }
            }
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
