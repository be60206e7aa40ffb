package org.metaq.samples.orders;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/**
 * Processes orders, each in one transaction: the message is gone and the row is there, or neither,
 * and the message comes again.
 */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(
                    propertyName = "destination",
                    propertyValue = OrdersResource.QUEUE)
        })
public class OrderProcessor implements MessageListener {
    @EJB private OrderTable orders;

    @Override
    public void onMessage(Message message) {
        try {
            orders.insertProcessed(message.getBody(String.class));
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
