package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;

/**
 * Which of the three API families a connection or session was made for. Jakarta Messaging 3.1
 * §6.1.1 and the Javadoc of QueueSession and TopicSession: methods of the other family throw
 * IllegalStateException.
 */
public enum Domain {
    /** Queues and topics. */
    UNIFIED,
    /** Made by a QueueConnection. */
    QUEUE,
    /** Made by a TopicConnection. */
    TOPIC;

    void requireTopics(String method) throws IllegalStateException {
        if (this == QUEUE) {
            throw new IllegalStateException(method + " is not for a QueueSession");
        }
    }

    void requireQueues(String method) throws IllegalStateException {
        if (this == TOPIC) {
            throw new IllegalStateException(method + " is not for a TopicSession");
        }
    }

    void requireNotQueueConnection(String method) throws IllegalStateException {
        if (this == QUEUE) {
            throw new IllegalStateException(method + " is not for a QueueConnection");
        }
    }
}
