package org.metaq.client;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the sends of one producer, so that the broker stores a repeated send once. Thread-safe.
 */
public final class ProducerSequence {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final long producerId;
    private final AtomicLong last = new AtomicLong();

    /** With a random id that is not 0. */
    public ProducerSequence() {
        long id;
        do {
            id = RANDOM.nextLong();
        } while (id == 0);
        producerId = id;
    }

    /** Random, never 0 (which on the wire means: none). */
    public long producerId() {
        return producerId;
    }

    /** The next number: 1, 2, 3 … A repeated send keeps the number of its first attempt. */
    public long next() {
        return last.incrementAndGet();
    }
}
