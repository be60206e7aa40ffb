package org.metaq.testapp;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** No transaction: a message is acknowledged when the method returns. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "test.none"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "2"),
            @ActivationConfigProperty(propertyName = "redeliveryDelay", propertyValue = "100")
        })
public class NotSupportedBean implements MessageListener {
    @EJB private Handling handling;

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void onMessage(Message message) {
        handling.handle("none", message);
    }
}
