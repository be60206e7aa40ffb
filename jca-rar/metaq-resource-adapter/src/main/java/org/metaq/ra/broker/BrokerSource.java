package org.metaq.ra.broker;

import jakarta.jms.JMSException;
import org.metaq.jms.session.MetaQXAConnection;

/** Who knows the broker that the adapter is configured with: its resource adapter bean. */
@FunctionalInterface
public interface BrokerSource {
    /**
     * The broker that is used where a connection factory or activation names no other.
     *
     * @throws IllegalArgumentException if the configuration is wrong; says which property
     */
    BrokerAccess brokerAccess();

    /**
     * Connects to this or another broker. What is still open when a resource adapter stops is
     * closed then.
     *
     * @throws JMSException if there is no connection
     */
    default MetaQXAConnection connect(BrokerAccess access) throws JMSException {
        return access.connect();
    }
}
