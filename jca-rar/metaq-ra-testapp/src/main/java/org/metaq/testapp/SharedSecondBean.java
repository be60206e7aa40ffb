package org.metaq.testapp;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** The same subscription as {@link SharedFirstBean} has. */
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
public class SharedSecondBean implements MessageListener {
    @EJB private Handling handling;

    @Override
    public void onMessage(Message message) {
        handling.handle("second", message);
    }
}
