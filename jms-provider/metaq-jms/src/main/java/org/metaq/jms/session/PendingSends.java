package org.metaq.jms.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ReplyWait;
import org.metaq.protocol.Reply;

/**
 * Sends of a transaction whose replies are still to come: a count and the first failure, so that a
 * transaction of any length costs no memory here. Thread-safe: its own monitor, a leaf.
 */
final class PendingSends {
    private int transaction;
    private int count;
    private @Nullable ClientException firstFailure;

    /** Counts a send until its reply is there. */
    void track(CompletableFuture<Reply> reply) {
        int tracked;
        synchronized (this) {
            count++;
            tracked = transaction;
        }
        var unused = reply.whenComplete((done, failure) -> replied(tracked, failure));
    }

    private synchronized void replied(int tracked, @Nullable Throwable failure) {
        if (tracked != transaction) {
            return;
        }
        count--;
        if (failure != null && firstFailure == null) {
            firstFailure = Waiting.clientException(failure);
        }
        if (count == 0) {
            notifyAll();
        }
    }

    /**
     * Sends what was put off, and waits for all replies.
     *
     * @param client the connection that all went over
     * @param timeoutMs longest wait, &gt;= 1
     * @return how many are still missing after that
     */
    int await(ClientConnection client, long timeoutMs) {
        if (!isAnyMissing()) {
            return 0;
        }
        client.flush();
        try (ReplyWait wait = client.waitWhile(this::isAnyMissing)) {
            wait.read(TimeUnit.MILLISECONDS.toNanos(timeoutMs));
            return awaitReplies(timeoutMs);
        }
    }

    private synchronized boolean isAnyMissing() {
        return count > 0;
    }

    private synchronized int awaitReplies(long timeoutMs) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        boolean interrupted = false;
        while (count > 0) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                break;
            }
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return count;
    }

    /** The first failure of the transaction so far, or null. */
    synchronized @Nullable ClientException failure() {
        return firstFailure;
    }

    /** The transaction is over: what is still to come matters no more. */
    synchronized void reset() {
        transaction++;
        count = 0;
        firstFailure = null;
    }
}
