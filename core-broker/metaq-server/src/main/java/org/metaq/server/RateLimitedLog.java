package org.metaq.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * WARN lines about clients, at most one per reason and interval, so that a client cannot fill the
 * log. Thread-safe.
 */
final class RateLimitedLog {
    private static final Logger LOG = LoggerFactory.getLogger(RateLimitedLog.class);

    private static final long INTERVAL_NS = 10_000_000_000L;

    private final Map<String, Reason> reasons = new ConcurrentHashMap<>();

    private static final class Reason {
        private long nextNs = Long.MIN_VALUE;
        private long suppressed;
    }

    /**
     * Logs, unless this reason was logged just now.
     *
     * @param reason one of a small fixed set of words, never text of a client
     * @return whether it was logged
     */
    boolean warn(String reason, String client, String detail) {
        long suppressed;
        Reason state = reasons.computeIfAbsent(reason, key -> new Reason());
        synchronized (state) {
            long now = System.nanoTime();
            if (state.nextNs != Long.MIN_VALUE && now - state.nextNs < 0) {
                state.suppressed++;
                return false;
            }
            state.nextNs = now + INTERVAL_NS;
            suppressed = state.suppressed;
            state.suppressed = 0;
        }
        LOG.warn("{} client={} detail=\"{}\" suppressed={}", reason, client, detail, suppressed);
        return true;
    }
}
