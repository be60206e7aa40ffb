package org.metaq.architecture.broken.ra;

/** Knows a transaction manager, where the application server has one. */
public class UsesNarayana {
    org.metaq.architecture.broken.narayana.UsesClient manager;
}
