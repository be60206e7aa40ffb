package org.metaq.bench;

import java.nio.file.Path;

/** A broker and its client library. */
interface Provider {
    /** Short name, as results have it. */
    String name();

    /** What it promises of a persistent message, and by which settings. */
    String durability();

    /** Class path of a client: the provider's jars and nothing else. */
    String clientClassPath();

    /** Class of its connection factory; it has a constructor that takes a URI. */
    String factoryClass();

    /**
     * Starts a broker that serves, with nothing in it.
     *
     * @param directory an empty directory for its data and log
     * @throws BenchException if it does not get ready
     */
    Broker start(Path directory) throws BenchException, InterruptedException;

    /**
     * A broker that serves.
     *
     * @param process to be closed in the end
     * @param uri for the connection factory
     */
    record Broker(ForkedProcess process, String uri) {}
}
