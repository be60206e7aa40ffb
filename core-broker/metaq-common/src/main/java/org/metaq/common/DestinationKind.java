package org.metaq.common;

/** What a destination is; {@link #code()} is its stable number on the wire and on disk. */
public enum DestinationKind {
    /** One durable group shared by every receiver. */
    QUEUE(1, "queue@"),
    /** Every subscription gets every message. */
    TOPIC(2, ""),
    /** A queue in memory, owned by the connection that created it. */
    TEMPORARY_QUEUE(3, "tempqueue@"),
    /** A topic in memory, owned by the connection that created it. */
    TEMPORARY_TOPIC(4, "temptopic@");

    private final int code;
    private final String prefix;

    DestinationKind(int code, String prefix) {
        this.code = code;
        this.prefix = prefix;
    }

    /** Stable number, 1..4. */
    public int code() {
        return code;
    }

    /** What a physical name of this kind starts with; empty for topics. */
    String prefix() {
        return prefix;
    }

    /** True for kinds whose messages live in memory and die with a connection. */
    public boolean isTemporary() {
        return this == TEMPORARY_QUEUE || this == TEMPORARY_TOPIC;
    }

    /** True for kinds whose receivers share one subscription. */
    public boolean isQueue() {
        return this == QUEUE || this == TEMPORARY_QUEUE;
    }

    /**
     * The kind with this code.
     *
     * @throws IllegalArgumentException if no kind has it
     */
    public static DestinationKind ofCode(int code) {
        for (DestinationKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no destination kind has the code " + code);
    }
}
