package org.metaq.ra.inbound;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** What an endpoint has done since its activation. Thread-safe. */
final class EndpointCounts {
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    // Written by whoever fails, read by operators.
    private volatile String lastFailure = "";

    void countDelivered() {
        delivered.incrementAndGet();
    }

    void countFailed() {
        failed.incrementAndGet();
    }

    /** Remembers why something failed, and when. */
    void noteFailure(String reason) {
        lastFailure = Instant.now() + " " + reason;
    }

    /** Messages that it dealt with. */
    long delivered() {
        return delivered.get();
    }

    /** Deliveries that failed, or were rolled back. */
    long failed() {
        return failed.get();
    }

    /** When and why something failed last; empty: nothing has. */
    String lastFailure() {
        return lastFailure;
    }
}
