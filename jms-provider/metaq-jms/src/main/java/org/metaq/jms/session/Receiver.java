package org.metaq.jms.session;

import jakarta.jms.JMSException;
import org.metaq.jms.message.MetaQMessage;

/** What a receive makes of its message. */
@FunctionalInterface
interface Receiver<T> {
    /**
     * Takes the message.
     *
     * @throws JMSException if it cannot; what then becomes of the message is for the session's mode
     */
    T take(MetaQMessage message) throws JMSException;
}
