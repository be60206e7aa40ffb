package org.metaq.broker.filter;

/**
 * Decides in the broker which messages a classic consumer group gets: {@code group.<group>=<class>}
 * in a topic's section of {@code server.ini}. The class needs a public constructor without
 * parameters, and is found in the folder {@code provided} or where {@code appClassPath} says.
 */
@FunctionalInterface
public interface MessageFilter {
    /**
     * True if the group shall get the message. Called by several threads, never by one that serves
     * clients. A message whose filter throws, or takes longer than the broker waits, is not held
     * back.
     */
    boolean accept(String group, FilteredMessage message);
}
