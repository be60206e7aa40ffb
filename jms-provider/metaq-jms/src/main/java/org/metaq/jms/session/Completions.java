package org.metaq.jms.session;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.metaq.protocol.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the completion listeners of a session's asynchronous sends, one at a time and in the order
 * of the sends, on one thread that is neither the network's nor the application's (Jakarta
 * Messaging 3.1 §7.3.6). Thread-safe: its own monitor, a leaf, not held during a callback.
 */
final class Completions {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final String threadName;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private @Nullable Thread thread;
    private boolean isClosed;

    Completions(String threadName) {
        this.threadName = threadName;
    }

    private record Entry(
            MetaQProducer producer,
            Message message,
            CompletionListener listener,
            CompletableFuture<Reply> reply,
            String doing) {}

    /**
     * Adds a send; its listener is called when its reply is there and all before it were called.
     */
    synchronized void add(
            MetaQProducer producer,
            Message message,
            CompletionListener listener,
            CompletableFuture<Reply> reply,
            String doing) {
        entries.add(new Entry(producer, message, listener, reply, doing));
        if (thread == null) {
            thread = Threads.daemon(threadName, this::run);
            thread.start();
        }
        notifyAll();
    }

    /** True on the thread that calls the listeners. */
    synchronized boolean isCallbackThread() {
        return Thread.currentThread() == thread;
    }

    /**
     * Jakarta Messaging 3.1 §7.3.4: a callback must not close, commit or roll back its own session.
     */
    void requireNotCallback(String method) throws IllegalStateException {
        if (isCallbackThread()) {
            throw new IllegalStateException(
                    "a completion listener must not " + method + " its own session");
        }
    }

    /**
     * Waits until the listeners of a producer's sends have returned; of all producers for null.
     *
     * @throws IllegalStateException if called by a listener that would wait for itself
     */
    synchronized void await(@Nullable MetaQProducer producer) throws IllegalStateException {
        boolean interrupted = false;
        while (entries.stream().anyMatch(e -> producer == null || e.producer() == producer)) {
            if (Thread.currentThread() == thread) {
                throw new IllegalStateException(
                        "a completion listener must not wait for its own callbacks");
            }
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the thread once all listeners were called, and waits for that. */
    void close() {
        Thread running;
        synchronized (this) {
            isClosed = true;
            notifyAll();
            running = thread;
        }
        if (running != null && Thread.currentThread() != running) {
            Waiting.join(running);
        }
    }

    private void run() {
        for (Entry entry = head(); entry != null; entry = head()) {
            ClientException failure = Waiting.failureOf(entry.reply());
            call(entry, failure);
            synchronized (this) {
                // Only now: whoever waits, waits for the return of the callback.
                entries.remove();
                notifyAll();
            }
        }
    }

    private synchronized @Nullable Entry head() {
        while (entries.isEmpty() && !isClosed) {
            try {
                wait();
            } catch (InterruptedException e) {
                LOG.warn("{} was interrupted; it goes on", threadName);
            }
        }
        return entries.peek();
    }

    private static void call(Entry entry, @Nullable ClientException failure) {
        try {
            if (failure == null) {
                entry.listener().onCompletion(entry.message());
            } else {
                JMSException exception = JmsErrors.of(entry.doing(), failure);
                entry.listener().onException(entry.message(), exception);
            }
        } catch (RuntimeException e) {
            LOG.warn("a completion listener failed after: {}", entry.doing(), e);
        }
    }
}
