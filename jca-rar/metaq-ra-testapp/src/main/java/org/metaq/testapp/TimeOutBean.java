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
import java.util.concurrent.TimeUnit;

/**
 * The first delivery of a message outlasts its transaction, of which the server says how long it
 * may take: Payara in the bean's descriptor, WildFly and Open Liberty, which have no such setting
 * for message-driven beans, for all transactions.
 */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(
                    propertyName = "destinationType",
                    propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(
                    propertyName = "destination",
                    propertyValue = "test.time-out"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "1"),
            @ActivationConfigProperty(propertyName = "redeliveryDelay", propertyValue = "100")
        })
public class TimeOutBean implements MessageListener {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Resource private MessageDrivenContext context;
    @EJB private Handling handling;

    @Override
    public void onMessage(Message message) {
        try {
            if (message.getIntProperty("JMSXDeliveryCount") == 1) {
                awaitTimeOut();
            } else {
                handling.handle("time-out", message);
            }
        } catch (JMSException | InterruptedException e) {
            throw new EJBException(e);
        }
    }

    private void awaitTimeOut() throws InterruptedException {
        long start = System.nanoTime();
        while (!context.getRollbackOnly() && System.nanoTime() - start < MAX_NANOS) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
