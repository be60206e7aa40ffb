package org.metaq.architecture.broken.container;

/** Knows a broker's classes, where it starts one as a process. */
public class UsesServer {
    org.metaq.architecture.broken.server.UsesJms broker;
}
