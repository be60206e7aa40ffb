package org.metaq.jms;

/** Placeholder on this branch. */
public final class MetaQConnectionFactory {
    /** Takes the URI. */
    public MetaQConnectionFactory(String uri) {
        ConnectionUri.parse(uri);
    }
}
