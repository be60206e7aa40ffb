package org.metaq.testapp;

import jakarta.ejb.EJBException;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;

/**
 * Sends by an injected context of the connection factory that everything else uses; each method is
 * one transaction.
 */
@Stateless
public class InjectedByName {
    @Inject
    @JMSConnectionFactory("jms/metaq")
    private JMSContext context;

    /** Sends. */
    public void send(String queue, String text) {
        context.createProducer().send(context.createQueue(queue), text);
    }

    /** As {@link #send}, and fails. */
    public void sendAndThrow(String queue, String text) {
        send(queue, text);
        throw new EJBException("as asked");
    }
}
