package org.metaq.jms.message;

import jakarta.jms.JMSException;

/** What a received message's {@code acknowledge()} calls. */
@FunctionalInterface
public interface Acknowledger {
    /**
     * Acknowledges what the session has delivered (Jakarta Messaging 3.1 §6.2.10).
     *
     * @throws JMSException if the session is closed or the broker cannot be told
     */
    void acknowledge() throws JMSException;
}
