package org.metaq.architecture.broken.protocol;

/** Points up. */
public class UsesStore {
    org.metaq.architecture.broken.store.UsesBroker up;
}
