package org.metaq.testapp;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.MessageDrivenContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A transaction for each message; {@code roll-back-once …} marks it for rollback at first. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "test.in"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "4"),
            @ActivationConfigProperty(propertyName = "maxDeliveries", propertyValue = "3"),
            @ActivationConfigProperty(propertyName = "redeliveryDelay", propertyValue = "100")
        })
public class QueueBean implements MessageListener {
    @Resource private MessageDrivenContext context;
    @EJB private Handling handling;

    @Override
    public void onMessage(Message message) {
        handling.handle("queue", message);
        try {
            if (message.getBody(String.class).startsWith("roll-back-once")
                    && message.getIntProperty("JMSXDeliveryCount") == 1) {
                context.setRollbackOnly();
            }
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
