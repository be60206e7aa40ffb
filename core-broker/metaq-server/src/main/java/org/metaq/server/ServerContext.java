package org.metaq.server;

import java.util.function.Consumer;

/**
 * What all connections share. Immutable; its parts are thread-safe, but for the dispatcher, which
 * is the writer thread's.
 *
 * @param events takes events to the writer thread, in the order of each event loop
 */
record ServerContext(
        int maxMessageSizeBytes,
        long clientIdleTimeoutMs,
        InboundBudget budget,
        BodyMemory bodyMemory,
        ReplyDispatcher dispatcher,
        RateLimitedLog log,
        Consumer<InboundEvent> events) {}
