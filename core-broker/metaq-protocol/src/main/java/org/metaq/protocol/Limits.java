package org.metaq.protocol;

/** Fixed limits of the protocol; what is configurable is in {@code docs/configuration.md}. */
public final class Limits {
    /** Longest command line without its CRLF, bytes. */
    public static final int LINE_LENGTH_MAX = 8 * 1024;

    /** Longest body of any command but sends, bytes: a settlement of about 60,000 ranges. */
    public static final int CONTROL_BODY_LENGTH_MAX = 1024 * 1024;

    /** Longest body of a classic {@code put}, bytes: longer messages no classic client decodes. */
    public static final int CLASSIC_BODY_LENGTH_MAX = 2 * 1024 * 1024;

    /** Most messages that one acquire may ask for. */
    public static final int ACQUIRE_COUNT_MAX = 10_000;

    /** Most bytes that one acquire may ask for (one larger message still comes alone). */
    public static final int ACQUIRE_BYTES_MAX = 4 * 1024 * 1024;

    /** Longest time that a broker holds an acquire, milliseconds. */
    public static final int ACQUIRE_WAIT_MAX_MS = 60_000;

    private Limits() {}
}
