package org.metaq.broker;

/** A client connection as the broker knows it. Confined to the writer thread. */
public final class BrokerConnection {
    private final String id;
    private final ClientLink link;

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
}
