package org.metaq.samples.quickstart;

/**
 * How much goes into one transaction. One order is the clearest; a large input takes more, for some
 * ten thousand transactions in all, and few enough bytes to fit into a small heap.
 *
 * @param group orders in a transaction at most
 * @param prefetch orders that each of the worker's consumers takes ahead
 */
record Batching(int group, int prefetch) {
    /** Most bytes in one transaction, unless one order is larger. */
    static final int BYTES_MAX = 4 << 20;

    /** Confirmations are small. */
    static final int AUDIT_PREFETCH = 1000;

    private static final int TRANSACTIONS = 10_000;
    private static final int PREFETCH_MIN = 10;

    static Batching of(int orders, long bytes) {
        long average = Math.max(1, bytes / Math.max(1, orders));
        int wanted = (orders + TRANSACTIONS - 1) / TRANSACTIONS;
        int group = (int) Math.max(1, Math.min(wanted, BYTES_MAX / average));
        return new Batching(group, Math.max(PREFETCH_MIN, 2 * group));
    }
}
