package org.metaq.broker;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;

/** A client connection as the broker knows it. Confined to the writer thread. */
public final class BrokerConnection {
    private final String id;
    private final ClientLink link;

    final Map<Integer, ConsumerState> consumers = new HashMap<>();
    final Holdings holdings = new Holdings();
    final Set<Association> associations = new LinkedHashSet<>();
    final Set<Topic> temporaryTopics = new LinkedHashSet<>();

    /** Redelivery options of its consumers that have some, by subscription. */
    final Map<Subscription, Map<String, String>> redeliveryOptions = new HashMap<>();

    LargeSends.@Nullable Arriving arriving;
    boolean isOpen;

    /** {@code open} came, and its credentials are being looked at. */
    boolean isOpening;

    boolean isGone;

    /** As {@code open} named it; empty: none. */
    String user = "";

    String clientId = "";

    /** By which its successor knows it; empty: there will be none. */
    String key = "";

    BrokerConnection(String id, ClientLink link) {
        this.id = id;
        this.link = link;
    }

    /** Unique for good: a word without blanks. */
    public String id() {
        return id;
    }

    ClientLink link() {
        return link;
    }

    @Override
    public String toString() {
        return id + " from " + link.remoteAddress();
    }
}
