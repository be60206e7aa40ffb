package org.metaq.server.config;

/** What the value of a key of {@code server.ini} is. */
enum KeyType {
    /** A count or number. */
    INTEGER("number"),
    /** A length in bytes. */
    BYTES("bytes"),
    /** A duration in milliseconds. */
    MILLISECONDS("ms"),
    /** A duration in microseconds. */
    MICROSECONDS("µs"),
    /** A duration in seconds. */
    SECONDS("s"),
    /** {@code true} or {@code false}. */
    FLAG("true or false"),
    /** Free text. */
    TEXT("text"),
    /** A path; a leading {@code ~} is the home directory. */
    PATH("path"),
    /** When something happens, in Quartz' form of cron. */
    CRON("cron"),
    /** A value of a {@link org.metaq.protocol.RedeliveryPolicy}. */
    REDELIVERY("redelivery"),
    /** What happens to old segments, see {@link org.metaq.broker.DeletePolicy#parse}. */
    DELETE_POLICY("policy");

    private final String unit;

    KeyType(String unit) {
        this.unit = unit;
    }

    /** Unit as the documentation names it. */
    String unit() {
        return unit;
    }

    boolean isNumber() {
        return switch (this) {
            case INTEGER, BYTES, MILLISECONDS, MICROSECONDS, SECONDS -> true;
            case FLAG, TEXT, PATH, CRON, REDELIVERY, DELETE_POLICY -> false;
        };
    }
}
