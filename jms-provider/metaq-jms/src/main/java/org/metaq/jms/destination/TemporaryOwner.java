package org.metaq.jms.destination;

import jakarta.jms.JMSException;

/** The connection that made a temporary destination and alone may delete it. */
@FunctionalInterface
public interface TemporaryOwner {
    /**
     * Deletes the destination and its messages. A second call does nothing.
     *
     * @throws JMSException if it has receivers, or the connection is closed or lost
     */
    void delete(MetaQDestination destination) throws JMSException;
}
