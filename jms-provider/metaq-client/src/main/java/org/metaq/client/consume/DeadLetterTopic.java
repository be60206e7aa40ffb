package org.metaq.client.consume;

import java.util.function.UnaryOperator;
import org.metaq.client.ClientException;
import org.metaq.client.publish.Message;
import org.metaq.client.publish.Publisher;

/**
 * Publishes rejected messages to another topic, {@code <topic>.DLQ} by default. The payload stays
 * as it is; the attribute says where the message comes from, as lines {@code name=value}:
 *
 * <pre>
 * topic=orders
 * partition=0-1
 * offset=4711
 * messageId=2039238426460094464
 * group=billing
 * deliveries=7
 * reason=java.lang.IllegalStateException: no stock      (line ends replaced by blanks)
 * attribute=…                                           (the original one, to the end; if any)
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class DeadLetterTopic implements RejectPolicy {
    /** Appended to a topic's name by default. */
    public static final String SUFFIX = ".DLQ";

    private final Publisher publisher;
    private final UnaryOperator<String> topicOf;

    /** To {@code <topic>.DLQ}. The publisher stays the caller's. */
    public DeadLetterTopic(Publisher publisher) {
        this(publisher, topic -> topic + SUFFIX);
    }

    /** To the topic that a function gives for the original one. */
    public DeadLetterTopic(Publisher publisher, UnaryOperator<String> topicOf) {
        this.publisher = publisher;
        this.topicOf = topicOf;
    }

    @Override
    public void reject(Rejection rejection) throws ClientException {
        ReceivedMessage message = rejection.message();
        publisher.send(
                Message.of(topicOf.apply(message.topic()), message.payload())
                        .withAttribute(attribute(rejection)));
    }

    private static String attribute(Rejection rejection) {
        ReceivedMessage message = rejection.message();
        String attribute = message.attribute();
        return "topic="
                + message.topic()
                + "\npartition="
                + message.partition()
                + "\noffset="
                + message.offset()
                + "\nmessageId="
                + message.messageId()
                + "\ngroup="
                + rejection.group()
                + "\ndeliveries="
                + rejection.deliveryCount()
                + "\nreason="
                + rejection.cause().toString().replaceAll("\\R", " ")
                + (attribute == null ? "" : "\nattribute=" + attribute);
    }
}
