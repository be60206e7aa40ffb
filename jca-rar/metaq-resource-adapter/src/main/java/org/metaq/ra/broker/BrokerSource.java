package org.metaq.ra.broker;

/** Who knows the broker that the adapter is configured with: its resource adapter bean. */
@FunctionalInterface
public interface BrokerSource {
    /**
     * The broker that is used where a connection factory or activation names no other.
     *
     * @throws IllegalArgumentException if the configuration is wrong; says which property
     */
    BrokerAccess brokerAccess();
}
