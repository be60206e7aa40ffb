package org.metaq.architecture.broken.broker;

/** Points up. */
public class UsesServer {
    org.metaq.architecture.broken.server.UsesJms up;
}
