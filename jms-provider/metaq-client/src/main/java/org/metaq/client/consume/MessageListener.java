package org.metaq.client.consume;

/**
 * Takes the messages of a subscription one by one. Called on the consumer's threads: for one
 * partition in order and by one thread at a time, for several partitions at the same time.
 */
@FunctionalInterface
public interface MessageListener {
    /**
     * Takes a message; when it returns, the message is done with.
     *
     * @throws Exception if it cannot be taken now: it comes again after a while, before all later
     *     messages of its partition
     */
    void onMessage(ReceivedMessage message) throws Exception;
}
