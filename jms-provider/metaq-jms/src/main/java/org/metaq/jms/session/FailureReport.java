package org.metaq.jms.session;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a connection's exception listener of failures that no call can report, one after the other
 * (Jakarta Messaging 3.1 §6.1.7). A thread of its own does that, so that the listener may close the
 * connection; it ends when there is no more to tell. Thread-safe: its own monitor, a leaf, not held
 * during a callback.
 */
final class FailureReport {
    private static final Logger LOG = LoggerFactory.getLogger(FailureReport.class);

    private final String connectionId;
    private final Deque<JMSException> failures = new ArrayDeque<>();
    private boolean isTelling;

    // Set by the application, read by the thread that reports.
    private volatile @Nullable ExceptionListener listener;

    FailureReport(String connectionId) {
        this.connectionId = connectionId;
    }

    @Nullable ExceptionListener listener() {
        return listener;
    }

    void setListener(@Nullable ExceptionListener newListener) {
        listener = newListener;
    }

    /** Does nothing without a listener. */
    synchronized void report(JMSException failure) {
        if (listener == null) {
            return;
        }
        failures.add(failure);
        if (!isTelling) {
            isTelling = true;
            Threads.daemon("metaq-" + connectionId + "-exceptions", this::run).start();
        }
    }

    private synchronized @Nullable JMSException next() {
        JMSException next = failures.poll();
        isTelling = next != null;
        return next;
    }

    private void run() {
        for (JMSException failure = next(); failure != null; failure = next()) {
            tell(failure);
        }
    }

    private void tell(JMSException failure) {
        ExceptionListener current = listener;
        if (current == null) {
            return;
        }
        try {
            current.onException(failure);
        } catch (RuntimeException | Error e) {
            LOG.warn("the exception listener failed on {}", failure.getMessage(), e);
        }
    }
}
