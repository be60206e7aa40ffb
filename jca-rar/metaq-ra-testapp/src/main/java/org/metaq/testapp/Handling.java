package org.metaq.testapp;

import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.ejb.EJBException;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * What the message-driven beans do with a message, by its text: {@code throw-once …} fails at the
 * first delivery, {@code poison …} at each, {@code STEP-stall FILE} stops the commit, see {@link
 * Stall}. Otherwise a row is written, and a reply sent to whom the message asks for.
 */
@Stateless
public class Handling {
    @Resource(name = "jms/connectionFactory")
    private ConnectionFactory connectionFactory;

    @EJB private Rows rows;

    /** Joins the caller's transaction, if there is one. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public void handle(String source, Message message) {
        try {
            String text = message.getBody(String.class);
            int deliveries = message.getIntProperty("JMSXDeliveryCount");
            Stall stall = stall(text);
            stall.enlistFirst();
            rows.insert(source, text, deliveries);
            if (message.getJMSReplyTo() != null) {
                try (JMSContext jms = connectionFactory.createContext()) {
                    jms.createProducer().send(message.getJMSReplyTo(), text);
                }
            }
            stall.enlistLast();
            if (text.startsWith("poison") || (text.startsWith("throw-once") && deliveries == 1)) {
                throw new EJBException("cannot handle " + text);
            }
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }

    private static Stall stall(String text) {
        int space = text.indexOf(' ');
        return text.contains("-stall ")
                ? new Stall(text.substring(0, text.indexOf('-')), text.substring(space + 1))
                : new Stall("", "");
    }
}
