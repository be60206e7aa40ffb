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
    /**
     * A broker takes larger messages in pieces, and can refuse one after its connection has sent
     * the next command.
     */
    private static final int LENGTH_OF_ONE_PIECE = 512 * 1024;

    private int transaction;
    private int count;
    private boolean isAnyLarge;
    private @Nullable ClientException firstFailure;

    /**
     * Counts a send until its reply is there.
     *
     * @param lengthBytes of the message
     */
    void track(CompletableFuture<Reply> reply, int lengthBytes) {
        int tracked;
        synchronized (this) {
            count++;
            isAnyLarge |= lengthBytes > LENGTH_OF_ONE_PIECE;
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
     * Waits until the broker has decided about all sends. Of those that it takes whole this needs
     * no time: it decides in the order of commands, and refuses to commit what is not whole.
     *
     * @param client the connection that all went over
     * @param timeoutMs longest wait, &gt;= 1
     * @return how many are undecided after that
     */
    int await(ClientConnection client, long timeoutMs) {
        if (!isAnyUndecided()) {
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

    private synchronized boolean isAnyUndecided() {
        return isAnyLarge && count > 0;
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
        isAnyLarge = false;
        firstFailure = null;
    }
}
