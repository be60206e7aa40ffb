package org.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a session's listeners one after the other (Jakarta Messaging 3.1 §6.2.15): one thread, from
 * the first listener until the session closes or its connection is lost.
 */
final class ListenerThread {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerThread.class);

    private static final int REASON_LENGTH_MAX = 512;

    private final MetaQConnection connection;
    private final SessionInbox inbox;
    private final Thread thread;

    ListenerThread(String name, MetaQConnection connection, SessionInbox inbox) {
        this.connection = connection;
        this.inbox = inbox;
        this.thread = Threads.daemon(name, this::run);
    }

    void start() {
        thread.start();
    }

    /** Waits until it has ended; the inbox must be closing. */
    void awaitEnd() {
        if (Thread.currentThread() != thread) {
            Waiting.join(thread);
        }
    }

    private void run() {
        try {
            // Read before each look at the inbox: what changes behind that look ends the wait.
            long seen = inbox.signal().version();
            while (!inbox.isClosing()) {
                if (!runOneRecovering()) {
                    inbox.await(seen, Long.MAX_VALUE);
                }
                seen = inbox.signal().version();
            }
        } catch (InterruptedException e) {
            LOG.warn("{} was interrupted: its listeners get no more messages", thread.getName());
        } catch (ClientException e) {
            // The connection tells its exception listener.
            LOG.debug("{} ends: {}", thread.getName(), e.getMessage());
        }
    }

    /** A lost connection is none, until the next is there. */
    private boolean runOneRecovering() throws ClientException {
        try {
            return runOne();
        } catch (ClientException e) {
            if (!e.isConnectionLost() || !connection.isRecoverable()) {
                throw e;
            }
            LOG.debug("{} waits for a connection: {}", thread.getName(), e.getMessage());
            return false;
        }
    }

    private boolean runOne() throws ClientException {
        Handed handed;
        try {
            handed = inbox.nextForListener();
        } catch (JMSException e) {
            LOG.error("a message was given back: {}", e.getMessage(), e);
            return true;
        }
        if (handed == null) {
            return false;
        }
        String failure = "";
        try {
            failure = call(handed, handed.consumer().listener());
        } finally {
            inbox.listenerReturned(failure);
        }
        return true;
    }

    /**
     * Calls a listener.
     *
     * @return null if it returned; else what it threw, for the broker: class and message, at most
     *     {@value #REASON_LENGTH_MAX} characters; empty if there is no listener any more
     */
    static @Nullable String call(Handed handed, @Nullable MessageListener listener) {
        if (listener == null) {
            return "";
        }
        try {
            listener.onMessage(handed.message());
            return null;
        } catch (RuntimeException | Error e) {
            // An error, too, must not end the thread: the other messages would wait for ever.
            LOG.warn(
                    "the listener on {} failed on {}",
                    handed.consumer().destination(),
                    handed.message(),
                    e);
            return reason(e);
        }
    }

    /** What it threw, for the broker. */
    static String reason(Throwable e) {
        return shortened(e.toString());
    }

    /** A reason, at most {@value #REASON_LENGTH_MAX} characters of it. */
    static String shortened(String text) {
        if (text.length() <= REASON_LENGTH_MAX) {
            return text;
        }
        boolean isInPair = Character.isHighSurrogate(text.charAt(REASON_LENGTH_MAX - 1));
        return text.substring(0, isInPair ? REASON_LENGTH_MAX - 1 : REASON_LENGTH_MAX);
    }
}
