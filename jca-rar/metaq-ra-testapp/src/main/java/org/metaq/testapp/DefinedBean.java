package org.metaq.testapp;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Of a queue that {@link Defined} defines. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationLookup",
                    propertyValue = "java:app/jms/definedQueue"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "1")
        })
public class DefinedBean implements MessageListener {
    @EJB private Handling handling;

    @Override
    public void onMessage(Message message) {
        handling.handle("defined", message);
    }
}
