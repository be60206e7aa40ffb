package org.metaq.testapp;

import jakarta.annotation.Resource;
import jakarta.ejb.EJBException;
import jakarta.ejb.Stateless;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConnectionFactoryDefinition;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSDestinationDefinition;
import jakarta.jms.Queue;

/** Sends by what the application itself defines; each method is one transaction. */
@Stateless
@JMSConnectionFactoryDefinition(
        name = "java:app/jms/defined",
        interfaceName = "jakarta.jms.ConnectionFactory",
        resourceAdapter = "metaq",
        properties = "connectionUri=metaq://127.0.0.1:${metaq.port}")
@JMSDestinationDefinition(
        name = "java:app/jms/definedQueue",
        interfaceName = "jakarta.jms.Queue",
        className = "org.metaq.ra.outbound.RaQueue",
        resourceAdapter = "metaq",
        properties = "physicalName=test.defined")
public class Defined {
    @Resource(lookup = "java:app/jms/defined")
    private ConnectionFactory factory;

    @Resource(lookup = "java:app/jms/definedQueue")
    private Queue queue;

    /** Sends to the defined queue. */
    public void send(String text) {
        try (JMSContext jms = factory.createContext()) {
            jms.createProducer().send(queue, text);
        }
    }

    /** As {@link #send}, and fails. */
    public void sendAndThrow(String text) {
        send(text);
        throw new EJBException("as asked");
    }
}
