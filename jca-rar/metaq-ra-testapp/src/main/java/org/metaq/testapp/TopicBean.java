package org.metaq.testapp;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A durable subscription of a topic, with a selector. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Topic"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "test.topic"),
            @ActivationConfigProperty(
                    propertyName = "messageSelector",
                    propertyValue = "kind = 'wanted'"),
            @ActivationConfigProperty(
                    propertyName = "subscriptionDurability",
                    propertyValue = "Durable"),
            @ActivationConfigProperty(propertyName = "subscriptionName", propertyValue = "sub"),
            @ActivationConfigProperty(propertyName = "clientId", propertyValue = "testapp"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "2")
        })
public class TopicBean implements MessageListener {
    @EJB private Handling handling;

    @Override
    public void onMessage(Message message) {
        handling.handle("topic", message);
    }
}
