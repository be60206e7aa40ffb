package org.metaq.jms.session;

import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
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
        Throwable failure = failureOf(reply);
        if (failure == null) {
            return reply.join();
        }
        throw clientException(failure);
    }

    private static ClientException clientException(Throwable failure) {
        if (failure instanceof ClientException e) {
            return e;
        }
        throw new AssertionError("a reply failed in an unforeseen way", failure);
    }

    /** Waits for a reply: why it failed, or null. */
    static @Nullable Throwable failureOf(CompletableFuture<Reply> reply) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    reply.get();
                    return null;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    return cause(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What is wrapped, if something is. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean isWrapper =
                failure instanceof ExecutionException || failure instanceof CompletionException;
        return isWrapper && cause != null ? cause : failure;
    }

    /** The checked form of the failure of a reply. */
    static JMSException jmsException(String doing, Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof ClientException e
                ? JmsErrors.of(doing, e)
                : JmsErrors.withCause(new JMSException(doing + ": " + cause), cause);
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
