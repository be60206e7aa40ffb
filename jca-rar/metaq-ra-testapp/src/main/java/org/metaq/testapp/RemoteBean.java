package org.metaq.testapp;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Writes a row to a database in a process of its own. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "test.remote"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "4")
        })
public class RemoteBean implements MessageListener {
    @EJB private RemoteRows rows;

    @Override
    public void onMessage(Message message) {
        try {
            rows.insert(message.getBody(String.class));
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
