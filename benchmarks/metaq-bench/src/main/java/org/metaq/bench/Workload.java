package org.metaq.bench;

/** The workloads; all of 1 KiB bytes messages through one queue. */
enum Workload {
    /** Each send waits for its answer; receivers acknowledge automatically. */
    W1("durable, 1 sync producer + 1 AUTO_ACK consumer", Style.SYNC, 1, true),
    /** Eight of each. */
    W2("durable, 8 sync producers + 8 AUTO_ACK consumers", Style.SYNC, 8, true),
    /** Sends under way while their completions are awaited. */
    W3("durable, 1 producer with CompletionListener + 1 consumer", Style.ASYNC, 1, true),
    /** First all is sent, then all is received. */
    W4("durable, transacted: 100 sends, then 100 receives per commit", Style.TRANSACTED, 1, true),
    /** As {@link #W1}, and not durable. */
    W6("non-persistent, 1 + 1", Style.SYNC, 1, false),
    /** As {@link #W2}, and not durable. */
    W6X8("non-persistent, 8 + 8", Style.SYNC, 8, false);

    /** How messages are sent. */
    enum Style {
        /** One call, one message; latency is that of the call. */
        SYNC,
        /** With a CompletionListener; latency is from the call to its completion. */
        ASYNC,
        /** In local transactions; latency is that of the commit. */
        TRANSACTED
    }

    private final String description;
    private final Style style;
    private final int pairs;
    private final boolean isPersistent;

    Workload(String description, Style style, int pairs, boolean isPersistent) {
        this.description = description;
        this.style = style;
        this.pairs = pairs;
        this.isPersistent = isPersistent;
    }

    String description() {
        return description;
    }

    Style style() {
        return style;
    }

    /** Number of producers, and of consumers; each has a connection of its own. */
    int pairs() {
        return pairs;
    }

    boolean isPersistent() {
        return isPersistent;
    }
}
