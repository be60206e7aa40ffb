package org.metaq.architecture.broken.mdbbench;

/** Knows the broker, which is another process. */
public class UsesServer {
    org.metaq.architecture.broken.server.UsesJms aside;
}
