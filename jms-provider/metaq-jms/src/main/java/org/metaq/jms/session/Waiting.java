package org.metaq.jms.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientConnection;
import org.metaq.client.ClientException;
import org.metaq.client.ReplyWait;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;

/** Waits that an interrupt does not end but that keep it for later. Stateless. */
final class Waiting {
    private Waiting() {}

    /**
     * Waits for a reply. Ends for sure: a lost connection fails what is pending.
     *
     * @throws ClientException if the broker refused it or the connection was lost
     */
    static Reply await(CompletableFuture<Reply> reply) throws ClientException {
        ClientException failure = failureOf(reply);
        if (failure != null) {
            throw failure;
        }
        return reply.join();
    }

    /**
     * As {@link #await(CompletableFuture)}, for a reply that comes over this connection.
     *
     * @throws ClientException likewise
     */
    static Reply await(ClientConnection client, CompletableFuture<Reply> reply)
            throws ClientException {
        try (ReplyWait wait = client.waitWhile(() -> !reply.isDone())) {
            wait.read(Long.MAX_VALUE);
            return await(reply);
        }
    }

    /**
     * As {@link #await(CompletableFuture)}, for so long.
     *
     * @throws ClientException also, with unknown outcome, when the time is over
     */
    static Reply await(CompletableFuture<Reply> reply, long timeoutMs) throws ClientException {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return reply.get(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw clientException(e);
                } catch (TimeoutException e) {
                    throw ClientException.of(
                            ErrorCode.UNKNOWN_OUTCOME, "no reply within " + timeoutMs + " ms");
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The client's exception in the failure of a reply; there is no other. */
    static ClientException clientException(Throwable failure) {
        if (failure instanceof ClientException e) {
            return e;
        }
        if (failure.getCause() instanceof ClientException e) {
            return e;
        }
        throw new AssertionError("a reply failed in an unforeseen way", failure);
    }

    /** Waits for a reply: why it failed, or null. */
    static @Nullable ClientException failureOf(CompletableFuture<Reply> reply) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    reply.get();
                    return null;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    return clientException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for a latch. */
    static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of a thread. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
