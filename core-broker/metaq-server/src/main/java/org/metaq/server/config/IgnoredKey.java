package org.metaq.server.config;

/** Keys of MetaQ's {@code [system]} section that are accepted, so that its files can be used. */
enum IgnoredKey {
    DASHBOARD_HTTP_PORT("dashboardHttpPort", "there is no web page; see `stats` and JMX"),
    GET_PROCESS_THREAD_COUNT("getProcessThreadCount", "reads need no threads of their own"),
    PUT_PROCESS_THREAD_COUNT("putProcessThreadCount", "one thread writes for all"),
    QUARTZ_THREAD_COUNT("quartzThreadCount", "old segments are looked for by the writer"),
    MAX_CHECKPOINTS("maxCheckpoints", "the newest checkpoint is the one that counts"),
    MAX_TX_TIMEOUT_TIMER_CAPACITY(
            "maxTxTimeoutTimerCapacity", "time-outs of transactions have no limit in number"),
    LOAD_MESSAGE_STORES_IN_PARALLEL(
            "loadMessageStoresInParallel", "a start reads no message stores");

    private final String key;
    private final String because;

    IgnoredKey(String key, String because) {
        this.key = key;
        this.because = because;
    }

    String key() {
        return key;
    }

    /** Why it has no effect, as the end of a sentence. */
    String because() {
        return because;
    }
}
