package org.metaq.architecture.broken.tm;

/** Knows one transaction manager. */
public class UsesNarayana {
    org.metaq.architecture.broken.narayana.UsesClient manager;
}
