package org.metaq.architecture.broken.jms;

/** Points to the broker's side. */
public class UsesStore {
    org.metaq.architecture.broken.store.UsesBroker aside;
}
