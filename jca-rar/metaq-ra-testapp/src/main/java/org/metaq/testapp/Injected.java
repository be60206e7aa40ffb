package org.metaq.testapp;

import jakarta.annotation.Resource;
import jakarta.ejb.EJBException;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;

/** Sends by the server's default connection factory; each method is one transaction. */
@Stateless
public class Injected {
    @Resource(lookup = "java:comp/DefaultJMSConnectionFactory")
    private ConnectionFactory defaultFactory;

    @Inject private JMSContext context;

    /** By the server's default connection factory. */
    public void sendByDefaultFactory(String queue, String text) {
        try (JMSContext jms = defaultFactory.createContext()) {
            jms.createProducer().send(jms.createQueue(queue), text);
        }
    }

    /** By an injected context of the default connection factory. */
    public void sendByInjected(String queue, String text) {
        context.createProducer().send(context.createQueue(queue), text);
    }

    /** As {@link #sendByInjected}, and fails. */
    public void sendByInjectedAndThrow(String queue, String text) {
        sendByInjected(queue, text);
        throw new EJBException("as asked");
    }
}
