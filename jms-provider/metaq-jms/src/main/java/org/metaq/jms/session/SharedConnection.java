package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;

/**
 * A connection that several contexts share; it closes with the last of them (Jakarta Messaging 3.1,
 * JMSContext.close). Thread-safe: its own monitor, not held while closing.
 */
final class SharedConnection {
    private final MetaQConnection connection;
    private int users = 1;

    SharedConnection(MetaQConnection connection) {
        this.connection = connection;
    }

    MetaQConnection connection() {
        return connection;
    }

    /** Counts one more context. */
    synchronized void share() throws IllegalStateException {
        if (users == 0) {
            throw new IllegalStateException("the context is closed");
        }
        users++;
    }

    /** Counts one context less. */
    void release() throws JMSException {
        synchronized (this) {
            users--;
            if (users > 0) {
                return;
            }
        }
        connection.close();
    }
}
