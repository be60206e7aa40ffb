package org.metaq.architecture.broken.store;

/** Points up. */
public class UsesBroker {
    org.metaq.architecture.broken.broker.UsesServer up;
}
