package org.metaq.architecture.broken.narayana;

/** Reaches behind the connection factory. */
public class UsesClient {
    org.metaq.architecture.broken.client.UsesJms behind;
}
