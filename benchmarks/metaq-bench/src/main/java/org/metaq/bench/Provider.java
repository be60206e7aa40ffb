package org.metaq.bench;

/** A broker and its client library for Jakarta Messaging. */
interface Provider extends Server {
    /** Class path of a client: the provider's jars and nothing else. */
    String clientClassPath();

    /** Class of its connection factory; it has a constructor that takes a URI. */
    String factoryClass();

    /** The same of its factory for XA; empty if there is none. */
    String xaFactoryClass();
}
