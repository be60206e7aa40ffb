package org.metaq.architecture.broken.samples;

/** Uses what an application has not on its class path. */
public class UsesServer {
    org.metaq.architecture.broken.server.UsesJms aside;
}
