package org.metaq.client.consume;

import java.io.IOException;
import org.metaq.client.ClientException;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a message that was delivered too often. Afterwards its partition goes on behind
 * it. Called on the consumer's threads, several at a time. One policy serves one consumer.
 */
@FunctionalInterface
public interface RejectPolicy {
    /**
     * Takes a message over.
     *
     * @throws IOException if it cannot now: the message stays where it is and comes again later
     * @throws ClientException likewise
     */
    void reject(Rejection rejection) throws IOException, ClientException;

    /** Called when the consumer starts; for policies that deliver later. */
    default void start(String group, MessageListener listener) {
        // most have nothing to do
    }

    /** Called when the consumer is closed, after its listeners have ended. */
    default void close() {
        // most have nothing to do
    }

    /** Logs it and drops it. */
    static RejectPolicy drop() {
        return rejection ->
                LoggerFactory.getLogger(RejectPolicy.class)
                        .error(
                                "group {} drops {} after {} deliveries",
                                rejection.group(),
                                rejection.message(),
                                rejection.deliveryCount(),
                                rejection.cause());
    }
}
