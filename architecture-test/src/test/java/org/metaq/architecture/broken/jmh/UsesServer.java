package org.metaq.architecture.broken.jmh;

/** Points to the server; what measures it is in its package. */
public class UsesServer {
    org.metaq.architecture.broken.server.UsesJms aside;
}
