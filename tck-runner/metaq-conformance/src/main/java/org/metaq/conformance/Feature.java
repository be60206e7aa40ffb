package org.metaq.conformance;

/** What the specification leaves to a provider, or what an adapter may be unable to do. */
public enum Feature {
    /** Distributed transactions, and with them the XA interfaces (§6.2.8, §11.3). */
    XA,
    /** Connection consumers and server sessions (§11.2). */
    CONNECTION_CONSUMER,
    /** Correlation ids that are bytes (§3.4.5). */
    CORRELATION_ID_AS_BYTES,
    /** Messages of a higher priority overtake others that wait (§3.4.10). */
    PRIORITY_ORDER,
    /** The adapter can restart the broker: {@link ProviderUnderTest#restartBroker()}. */
    RESTART,
    /** The provider checks users: {@link ProviderUnderTest#rejectedCredentials()}. */
    AUTHENTICATION
}
