package org.metaq.jms.session;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.metaq.common.DestinationKind;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.jms.message.MetaQBytesMessage;
import org.metaq.jms.message.MetaQMapMessage;
import org.metaq.jms.message.MetaQMessage;
import org.metaq.jms.message.MetaQObjectMessage;
import org.metaq.jms.message.MetaQStreamMessage;
import org.metaq.jms.message.MetaQTextMessage;

/**
 * A session of any kind: the API, whose work {@link SessionCore} does. For one thread at a time
 * (Jakarta Messaging 3.1 §6.2.5), but for {@link #close}.
 */
class MetaQSession implements QueueSession, TopicSession {
    private final MetaQConnection connection;
    private final Domain domain;
    private final SessionCore core;
    private final SessionListener ownListener;

    MetaQSession(MetaQConnection connection, int number, AcknowledgeMode mode, Domain domain) {
        this.connection = connection;
        this.domain = domain;
        this.core = new SessionCore(connection, number, mode);
        this.ownListener = new SessionListener(core);
    }

    final SessionCore core() {
        return core;
    }

    final void checkOpen() throws IllegalStateException {
        core.checkOpen();
    }

    // ---- messages

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        checkOpen();
        return new MetaQBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        checkOpen();
        return new MetaQMapMessage();
    }

    @Override
    public Message createMessage() throws JMSException {
        checkOpen();
        return new MetaQMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        checkOpen();
        return new MetaQObjectMessage();
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) throws JMSException {
        ObjectMessage message = createObjectMessage();
        message.setObject(object);
        return message;
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        checkOpen();
        return new MetaQStreamMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        checkOpen();
        return new MetaQTextMessage();
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) throws JMSException {
        TextMessage message = createTextMessage();
        message.setText(text);
        return message;
    }

    // ---- modes, transactions

    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return core.mode().isTransacted();
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        checkOpen();
        return core.mode().code();
    }

    @Override
    public void commit() throws JMSException {
        core.commit();
    }

    @Override
    public void rollback() throws JMSException {
        core.rollback();
    }

    @Override
    public void recover() throws JMSException {
        core.recover();
    }

    @Override
    public void close() throws JMSException {
        core.close();
        connection.remove(this);
    }

    // ---- what application servers use (see ConnectionConsumer)

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return ownListener.listener();
    }

    /**
     * Sets the listener for what a connection consumer loads; not for applications, who set it on a
     * consumer.
     *
     * @throws IllegalStateException if the session has consumers
     */
    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        checkOpen();
        ownListener.setListener(listener);
    }

    /**
     * Gives the session's listener what was loaded, on the caller's thread.
     *
     * @throws jakarta.jms.IllegalStateRuntimeException if it has no listener
     */
    @Override
    public void run() {
        ownListener.run();
    }

    // ---- destinations

    @Override
    public Queue createQueue(@Nullable String name) throws JMSException {
        checkOpen();
        domain.requireQueues("createQueue");
        String checked = SessionCore.checkedName("queue", name);
        try {
            return new MetaQQueue(checked);
        } catch (IllegalArgumentException e) {
            throw JmsErrors.withCause(new JMSException(e.getMessage()), e);
        }
    }

    @Override
    public Topic createTopic(@Nullable String name) throws JMSException {
        checkOpen();
        domain.requireTopics("createTopic");
        String checked = SessionCore.checkedName("topic", name);
        try {
            return new MetaQTopic(checked);
        } catch (IllegalArgumentException e) {
            throw JmsErrors.withCause(new JMSException(e.getMessage()), e);
        }
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        checkOpen();
        domain.requireQueues("createTemporaryQueue");
        return (TemporaryQueue)
                connection.destinations().createTemporary(DestinationKind.TEMPORARY_QUEUE);
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        checkOpen();
        domain.requireTopics("createTemporaryTopic");
        return (TemporaryTopic)
                connection.destinations().createTemporary(DestinationKind.TEMPORARY_TOPIC);
    }

    // ---- producers

    private MetaQProducer producer(@Nullable Destination destination) throws JMSException {
        checkOpen();
        return core.createProducer(destination == null ? null : MetaQDestination.from(destination));
    }

    @Override
    public MessageProducer createProducer(@Nullable Destination destination) throws JMSException {
        return producer(destination);
    }

    @Override
    public QueueSender createSender(@Nullable Queue queue) throws JMSException {
        return producer(queue);
    }

    @Override
    public TopicPublisher createPublisher(@Nullable Topic topic) throws JMSException {
        return producer(topic);
    }

    // ---- consumers

    private MetaQConsumer consumer(Subscription subscription) throws JMSException {
        ownListener.requireNone();
        return core.createConsumer(subscription);
    }

    private MetaQConsumer consumer(
            @Nullable Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        checkOpen();
        return consumer(Subscription.unnamed(destination, selector, noLocal));
    }

    @Override
    public MessageConsumer createConsumer(@Nullable Destination destination) throws JMSException {
        return consumer(destination, null, false);
    }

    @Override
    public MessageConsumer createConsumer(
            @Nullable Destination destination, @Nullable String selector) throws JMSException {
        return consumer(destination, selector, false);
    }

    @Override
    public MessageConsumer createConsumer(
            @Nullable Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return consumer(destination, selector, noLocal);
    }

    @Override
    public QueueReceiver createReceiver(@Nullable Queue queue) throws JMSException {
        return consumer(queue, null, false);
    }

    @Override
    public QueueReceiver createReceiver(@Nullable Queue queue, @Nullable String selector)
            throws JMSException {
        return consumer(queue, selector, false);
    }

    @Override
    public TopicSubscriber createSubscriber(@Nullable Topic topic) throws JMSException {
        return consumer(topic, null, false);
    }

    @Override
    public TopicSubscriber createSubscriber(
            @Nullable Topic topic, @Nullable String selector, boolean noLocal) throws JMSException {
        return consumer(topic, selector, noLocal);
    }

    private MetaQConsumer named(
            String method,
            @Nullable Topic topic,
            @Nullable String name,
            @Nullable String selector,
            boolean durable,
            boolean shared,
            boolean noLocal)
            throws JMSException {
        checkOpen();
        domain.requireTopics(method);
        return consumer(Subscription.named(topic, name, selector, durable, shared, noLocal));
    }

    @Override
    public MessageConsumer createSharedConsumer(@Nullable Topic topic, @Nullable String name)
            throws JMSException {
        return named("createSharedConsumer", topic, name, null, false, true, false);
    }

    @Override
    public MessageConsumer createSharedConsumer(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector)
            throws JMSException {
        return named("createSharedConsumer", topic, name, selector, false, true, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(@Nullable Topic topic, @Nullable String name)
            throws JMSException {
        return named("createDurableSubscriber", topic, name, null, true, false, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(
            @Nullable Topic topic,
            @Nullable String name,
            @Nullable String selector,
            boolean noLocal)
            throws JMSException {
        return named("createDurableSubscriber", topic, name, selector, true, false, noLocal);
    }

    @Override
    public MessageConsumer createDurableConsumer(@Nullable Topic topic, @Nullable String name)
            throws JMSException {
        return named("createDurableConsumer", topic, name, null, true, false, false);
    }

    @Override
    public MessageConsumer createDurableConsumer(
            @Nullable Topic topic,
            @Nullable String name,
            @Nullable String selector,
            boolean noLocal)
            throws JMSException {
        return named("createDurableConsumer", topic, name, selector, true, false, noLocal);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(@Nullable Topic topic, @Nullable String name)
            throws JMSException {
        return named("createSharedDurableConsumer", topic, name, null, true, true, false);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector)
            throws JMSException {
        return named("createSharedDurableConsumer", topic, name, selector, true, true, false);
    }

    @Override
    public void unsubscribe(@Nullable String name) throws JMSException {
        checkOpen();
        domain.requireTopics("unsubscribe");
        core.unsubscribe(name);
    }

    @Override
    public QueueBrowser createBrowser(@Nullable Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(@Nullable Queue queue, @Nullable String selector)
            throws JMSException {
        checkOpen();
        domain.requireQueues("createBrowser");
        ownListener.requireNone();
        MetaQDestination checked = MetaQDestination.from(queue);
        connection.destinations().requireReceivable(checked);
        connection.destinations().resolve(checked);
        return new MetaQBrowser(core, checked, Selectors.checked(selector));
    }
}
