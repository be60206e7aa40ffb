package org.metaq.server.operations;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.metaq.broker.Broker;

/**
 * Lets other threads ask the broker: what they ask runs on the writer thread, between the commands
 * of clients. Thread-safe.
 */
final class WriterCalls {
    /** Longest wait for an answer: a checkpoint writes to the disk. */
    static final long WAIT_MAX_SECONDS = 60;

    private final Executor writer;
    private final Broker broker;

    /**
     * Calls of one broker.
     *
     * @param writer runs on the writer thread what it is given, from any thread
     */
    WriterCalls(Executor writer, Broker broker) {
        this.writer = writer;
        this.broker = broker;
    }

    /** Has the writer thread do something. */
    void execute(Runnable work) {
        writer.execute(work);
    }

    /**
     * What the broker answers at once; waits for it.
     *
     * @throws IllegalStateException if it does not answer in time, because it stops or is stuck
     */
    <T> T get(Function<Broker, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(
                () -> {
                    try {
                        answer.complete(question.apply(broker));
                    } catch (RuntimeException | Error e) {
                        // the end of the broker; who asked need not wait to hear of it
                        answer.completeExceptionally(e);
                        throw e;
                    }
                });
        return await(answer);
    }

    /**
     * What the broker answers when it is done; waits for it.
     *
     * @throws IllegalArgumentException if it refuses, with its text
     * @throws IllegalStateException if it may or may not have been done, or it does not answer in
     *     time
     */
    <T> T done(Function<Broker, CompletableFuture<T>> action) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(() -> pass(action.apply(broker), answer));
        return await(answer);
    }

    private static <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to) {
        var unused =
                from.whenComplete(
                        (result, failure) -> {
                            if (failure == null) {
                                to.complete(result);
                            } else {
                                to.completeExceptionally(failure);
                            }
                        });
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(WAIT_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | CompletionException e) {
            String text = String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
            // made anew: the stack is that of the caller, and no class of ours goes to JMX clients
            throw e.getCause() instanceof IllegalArgumentException
                    ? new IllegalArgumentException(text, e)
                    : new IllegalStateException(text, e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the broker did not answer within "
                            + WAIT_MAX_SECONDS
                            + " s: it stops, or its disk hangs; whether it was done is not known",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted; whether it was done is not known", e);
        }
    }
}
