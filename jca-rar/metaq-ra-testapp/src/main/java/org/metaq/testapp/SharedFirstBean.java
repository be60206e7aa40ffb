package org.metaq.testapp;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A durable subscription of a topic without a client id. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Topic"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "test.shared"),
            @ActivationConfigProperty(
                    propertyName = "subscriptionDurability",
                    propertyValue = "Durable"),
            @ActivationConfigProperty(propertyName = "subscriptionName", propertyValue = "shared"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "1"),
            @ActivationConfigProperty(propertyName = "prefetch", propertyValue = "1")
        })
public class SharedFirstBean implements MessageListener {
    @EJB private Handling handling;

    @Override
    public void onMessage(Message message) {
        handling.handle("first", message);
    }
}
