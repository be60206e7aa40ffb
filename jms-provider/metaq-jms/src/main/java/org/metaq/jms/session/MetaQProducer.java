package org.metaq.jms.session;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.destination.MetaQDestination;

/**
 * A producer of any kind: settings, and the rules of which send is for which producer. Confined as
 * its session is.
 */
final class MetaQProducer implements QueueSender, TopicPublisher {
    private final SessionCore session;
    private final SessionOutbox outbox;
    private final @Nullable MetaQDestination destination;

    private boolean isMessageIdDisabled;
    private boolean isTimestampDisabled;
    private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;
    private int priority = Message.DEFAULT_PRIORITY;
    private long timeToLiveMs;
    private long deliveryDelayMs;

    // Whoever closes writes it, the session's thread reads it.
    private volatile boolean isClosed;

    /**
     * A producer.
     *
     * @param destination where it sends; null: each send names it
     */
    MetaQProducer(
            SessionCore session, SessionOutbox outbox, @Nullable MetaQDestination destination) {
        this.session = session;
        this.outbox = outbox;
        this.destination = destination;
    }

    private void checkOpen() throws IllegalStateException {
        if (isClosed) {
            throw new IllegalStateException("the producer is closed");
        }
        session.checkOpen();
    }

    // ---- settings

    @Override
    public void setDisableMessageID(boolean value) throws JMSException {
        checkOpen();
        isMessageIdDisabled = value;
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        checkOpen();
        return isMessageIdDisabled;
    }

    @Override
    public void setDisableMessageTimestamp(boolean value) throws JMSException {
        checkOpen();
        isTimestampDisabled = value;
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        checkOpen();
        return isTimestampDisabled;
    }

    @Override
    public void setDeliveryMode(int value) throws JMSException {
        checkOpen();
        deliveryMode = checkedDeliveryMode(value);
    }

    static int checkedDeliveryMode(int value) throws JMSException {
        if (value != DeliveryMode.PERSISTENT && value != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException(value + " is no delivery mode");
        }
        return value;
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        checkOpen();
        return deliveryMode;
    }

    @Override
    public void setPriority(int value) throws JMSException {
        checkOpen();
        priority = checkedPriority(value);
    }

    static int checkedPriority(int value) throws JMSException {
        if (value < 0 || value > 9) {
            throw new JMSException(value + " is no priority: it is 0..9");
        }
        return value;
    }

    @Override
    public int getPriority() throws JMSException {
        checkOpen();
        return priority;
    }

    @Override
    public void setTimeToLive(long value) throws JMSException {
        checkOpen();
        timeToLiveMs = checkedTimeToLive(value);
    }

    static long checkedTimeToLive(long value) throws JMSException {
        if (value < 0) {
            throw new JMSException(value + " is no time to live: it is 0 (for ever) or more");
        }
        return value;
    }

    @Override
    public long getTimeToLive() throws JMSException {
        checkOpen();
        return timeToLiveMs;
    }

    @Override
    public void setDeliveryDelay(long value) throws JMSException {
        checkOpen();
        deliveryDelayMs = checkedDeliveryDelay(value);
    }

    static long checkedDeliveryDelay(long value) throws JMSException {
        if (value < 0) {
            throw new JMSException(value + " is no delivery delay: it is 0 (none) or more ms");
        }
        return value;
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        checkOpen();
        return deliveryDelayMs;
    }

    @Override
    public @Nullable Destination getDestination() throws JMSException {
        checkOpen();
        return destination;
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        if (destination instanceof Queue queue) {
            return queue;
        }
        throw new IllegalStateException("the producer has no queue but " + destination);
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        if (destination instanceof Topic topic) {
            return topic;
        }
        throw new IllegalStateException("the producer has no topic but " + destination);
    }

    // ---- send

    @Override
    public void send(@Nullable Message message) throws JMSException {
        send(own(), message, deliveryMode, priority, timeToLiveMs, null);
    }

    @Override
    public void send(@Nullable Message message, int mode, int priority, long timeToLive)
            throws JMSException {
        send(own(), message, mode, priority, timeToLive, null);
    }

    @Override
    public void send(@Nullable Destination to, @Nullable Message message) throws JMSException {
        send(given(to), message, deliveryMode, priority, timeToLiveMs, null);
    }

    @Override
    public void send(
            @Nullable Destination to, @Nullable Message message, int mode, int priority, long ttl)
            throws JMSException {
        send(given(to), message, mode, priority, ttl, null);
    }

    @Override
    public void send(@Nullable Message message, @Nullable CompletionListener completion)
            throws JMSException {
        send(own(), message, deliveryMode, priority, timeToLiveMs, required(completion));
    }

    @Override
    public void send(
            @Nullable Message message,
            int mode,
            int priority,
            long ttl,
            @Nullable CompletionListener completion)
            throws JMSException {
        send(own(), message, mode, priority, ttl, required(completion));
    }

    @Override
    public void send(
            @Nullable Destination to,
            @Nullable Message message,
            @Nullable CompletionListener completion)
            throws JMSException {
        send(given(to), message, deliveryMode, priority, timeToLiveMs, required(completion));
    }

    @Override
    public void send(
            @Nullable Destination to,
            @Nullable Message message,
            int mode,
            int priority,
            long ttl,
            @Nullable CompletionListener completion)
            throws JMSException {
        send(given(to), message, mode, priority, ttl, required(completion));
    }

    @Override
    public void send(@Nullable Queue to, @Nullable Message message) throws JMSException {
        send((Destination) to, message);
    }

    @Override
    public void send(
            @Nullable Queue to, @Nullable Message message, int mode, int priority, long ttl)
            throws JMSException {
        send((Destination) to, message, mode, priority, ttl);
    }

    @Override
    public void publish(@Nullable Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(@Nullable Message message, int mode, int priority, long ttl)
            throws JMSException {
        send(message, mode, priority, ttl);
    }

    @Override
    public void publish(@Nullable Topic to, @Nullable Message message) throws JMSException {
        send((Destination) to, message);
    }

    @Override
    public void publish(
            @Nullable Topic to, @Nullable Message message, int mode, int priority, long ttl)
            throws JMSException {
        send((Destination) to, message, mode, priority, ttl);
    }

    private static CompletionListener required(@Nullable CompletionListener completion) {
        if (completion == null) {
            throw new IllegalArgumentException("an asynchronous send needs a completion listener");
        }
        return completion;
    }

    private MetaQDestination own() throws JMSException {
        checkOpen();
        if (destination == null) {
            throw new UnsupportedOperationException(
                    "the producer has no destination: name one with the message");
        }
        return destination;
    }

    private MetaQDestination given(@Nullable Destination to) throws JMSException {
        checkOpen();
        if (destination != null) {
            throw new UnsupportedOperationException("the producer sends to " + destination);
        }
        return MetaQDestination.from(to);
    }

    private void send(
            MetaQDestination to,
            @Nullable Message message,
            int mode,
            int messagePriority,
            long ttl,
            @Nullable CompletionListener completion)
            throws JMSException {
        if (message == null) {
            throw new MessageFormatException("no message given");
        }
        outbox.send(
                this,
                to,
                message,
                new SessionOutbox.Options(
                        checkedDeliveryMode(mode),
                        checkedPriority(messagePriority),
                        checkedTimeToLive(ttl),
                        deliveryDelayMs,
                        !isMessageIdDisabled,
                        !isTimestampDisabled),
                completion);
    }

    /**
     * Closes once the completion listeners of its sends have returned.
     *
     * @throws IllegalStateException if called by one of them
     */
    @Override
    public void close() throws JMSException {
        if (!isClosed) {
            outbox.completions().await(this);
            isClosed = true;
        }
    }
}
