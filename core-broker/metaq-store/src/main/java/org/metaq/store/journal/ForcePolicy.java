package org.metaq.store.journal;

/**
 * Decides when the journal is forced, as MetaQ's flush keys say. Pure; confined to the writer
 * thread.
 */
final class ForcePolicy {
    /** {@code flushTxLogAtCommit=2}: MetaQ's one second. */
    static final long TRANSACTION_INTERVAL_NS = 1_000_000_000L;

    private static final long NS_PER_MS = 1_000_000L;

    private final JournalOptions options;
    private long sendsNotForced;
    private boolean hasDue;
    private long dueNs;

    ForcePolicy(JournalOptions options) {
        this.options = options;
    }

    /**
     * Notes what is about to be answered.
     *
     * @param sends number of {@code SEND_POLICY} records
     * @param transactions number of {@code TRANSACTION_POLICY} records
     * @param syncs number of {@code SYNC} records
     * @return whether the journal must be forced before they are answered
     */
    boolean written(int sends, int transactions, int syncs, long nowNs) {
        boolean isNeeded = syncs > 0;
        if (transactions > 0) {
            switch (options.flushTxLogAtCommit()) {
                case 1 -> isNeeded = true;
                case 2 -> forceBy(nowNs + TRANSACTION_INTERVAL_NS);
                default -> {
                    // 0: the operating system writes when it likes.
                }
            }
        }
        if (sends > 0) {
            if (options.unflushThreshold() <= 0) {
                isNeeded = true;
            } else {
                sendsNotForced += sends;
                isNeeded |= sendsNotForced >= options.unflushThreshold();
                forceBy(nowNs + options.unflushIntervalMs() * NS_PER_MS);
            }
        }
        return isNeeded;
    }

    /** True if something answered waits for a force and its time has come. */
    boolean isDue(long nowNs) {
        return hasDue && nowNs - dueNs >= 0;
    }

    /** Everything written is durable. */
    void forced() {
        sendsNotForced = 0;
        hasDue = false;
    }

    private void forceBy(long ns) {
        // Compared by difference: the origin of the monotonic clock is arbitrary.
        if (!hasDue || ns - dueNs < 0) {
            dueNs = ns;
            hasDue = true;
        }
    }
}
