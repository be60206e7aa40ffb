package org.metaq.jms.session;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.metaq.protocol.Reply;

/**
 * Sends of a transaction whose replies are still to come: a count and the first failure, so that a
 * transaction of any length costs no memory here. Thread-safe: its own monitor, a leaf.
 */
final class PendingSends {
    private int count;
    private @Nullable ClientException firstFailure;

    /** Counts a send until its reply is there. */
    void track(CompletableFuture<Reply> reply) {
        synchronized (this) {
            count++;
        }
        var unused = reply.whenComplete((done, failure) -> replied(failure));
    }

    private synchronized void replied(@Nullable Throwable failure) {
        count--;
        if (failure != null && firstFailure == null) {
            firstFailure = Waiting.clientException(failure);
        }
        if (count == 0) {
            notifyAll();
        }
    }

    /**
     * Waits for all replies and forgets the failure. Ends for sure: a lost connection fails what is
     * pending.
     *
     * @return the first failure, or null
     */
    synchronized @Nullable ClientException awaitAll() {
        boolean interrupted = false;
        while (count > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        ClientException failure = firstFailure;
        firstFailure = null;
        return failure;
    }
}
