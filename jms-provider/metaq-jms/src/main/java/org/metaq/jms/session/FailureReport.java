package org.metaq.jms.session;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a connection's exception listener of failures that no call can report. Each report runs on
 * a thread of its own, which ends with it, so that the listener may close the connection.
 * Thread-safe.
 */
final class FailureReport {
    private static final Logger LOG = LoggerFactory.getLogger(FailureReport.class);

    private final String connectionId;

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
    void report(JMSException failure) {
        ExceptionListener current = listener;
        if (current == null) {
            return;
        }
        Threads.daemon("metaq-" + connectionId + "-exceptions", () -> tell(current, failure))
                .start();
    }

    private static void tell(ExceptionListener listener, JMSException failure) {
        try {
            listener.onException(failure);
        } catch (RuntimeException e) {
            LOG.warn("the exception listener failed on {}", failure.getMessage(), e);
        }
    }
}
