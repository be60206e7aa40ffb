package org.metaq.testapp;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Of a queue that the server has as an administered object. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationLookup",
                    propertyValue = "java:comp/env/jms/lookup"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "1")
        })
public class LookupBean implements MessageListener {
    @EJB private Handling handling;

    @Override
    public void onMessage(Message message) {
        handling.handle("lookup", message);
    }
}
