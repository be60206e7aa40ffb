package org.metaq.architecture.broken.server;

/** Points to the client's side. */
public class UsesJms {
    org.metaq.architecture.broken.jms.UsesStore aside;
}
