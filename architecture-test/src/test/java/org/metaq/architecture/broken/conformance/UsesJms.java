package org.metaq.architecture.broken.conformance;

/** Knows a provider's classes. */
public class UsesJms {
    org.metaq.architecture.broken.jms.UsesStore provider;
}
