package org.metaq.jms.session;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.session.JmsErrors.Call;

/** JMSContext over a shared connection and a session of its own. Confined as the session is. */
class MetaQContext implements JMSContext {
    private final SharedConnection shared;
    private final MetaQSession session;
    private @Nullable MetaQProducer producer;
    private boolean isAutoStart = true;
    private boolean isClosed;

    MetaQContext(SharedConnection shared, MetaQSession session) {
        this.shared = shared;
        this.session = session;
    }

    /** Any use but naming the client (Jakarta Messaging 3.1 §6.1.2). */
    private <T> T use(Call<T> call) {
        return JmsErrors.unchecked(
                () -> {
                    session.checkOpen();
                    shared.connection().markUsed();
                    return call.call();
                });
    }

    // ---- the connection

    @Override
    public JMSContext createContext(int sessionMode) {
        return use(
                () -> {
                    AcknowledgeMode mode = AcknowledgeMode.ofCode(sessionMode, true);
                    shared.share();
                    try {
                        return new MetaQContext(
                                shared, shared.connection().newSession(mode, Domain.UNIFIED));
                    } catch (JMSException e) {
                        shared.release();
                        throw e;
                    }
                });
    }

    @Override
    public @Nullable String getClientID() {
        return JmsErrors.uncheckedOrNull(
                () -> {
                    session.checkOpen();
                    return shared.connection().getClientID();
                });
    }

    @Override
    public void setClientID(@Nullable String clientID) {
        JmsErrors.uncheckedRun(
                () -> {
                    session.checkOpen();
                    shared.connection().setClientID(clientID);
                });
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return JmsErrors.unchecked(
                () -> {
                    session.checkOpen();
                    return shared.connection().getMetaData();
                });
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() {
        return JmsErrors.uncheckedOrNull(
                () -> {
                    session.checkOpen();
                    return shared.connection().getExceptionListener();
                });
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) {
        JmsErrors.uncheckedRun(
                () -> {
                    session.checkOpen();
                    shared.connection().setExceptionListener(listener);
                });
    }

    @Override
    public void start() {
        JmsErrors.uncheckedRun(
                () -> {
                    session.checkOpen();
                    shared.connection().start();
                });
    }

    @Override
    public void stop() {
        JmsErrors.uncheckedRun(
                () -> {
                    session.checkOpen();
                    shared.connection().stop();
                });
    }

    @Override
    public void setAutoStart(boolean autoStart) {
        isAutoStart = autoStart;
    }

    @Override
    public boolean getAutoStart() {
        return isAutoStart;
    }

    @Override
    public void close() {
        JmsErrors.uncheckedRun(
                () -> {
                    session.close();
                    if (!isClosed) {
                        isClosed = true;
                        shared.release();
                    }
                });
    }

    // ---- messages

    @Override
    public BytesMessage createBytesMessage() {
        return JmsErrors.unchecked(session::createBytesMessage);
    }

    @Override
    public MapMessage createMapMessage() {
        return JmsErrors.unchecked(session::createMapMessage);
    }

    @Override
    public Message createMessage() {
        return JmsErrors.unchecked(session::createMessage);
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return JmsErrors.unchecked(() -> session.createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) {
        return JmsErrors.unchecked(() -> session.createObjectMessage(object));
    }

    @Override
    public StreamMessage createStreamMessage() {
        return JmsErrors.unchecked(session::createStreamMessage);
    }

    @Override
    public TextMessage createTextMessage() {
        return JmsErrors.unchecked(() -> session.createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) {
        return JmsErrors.unchecked(() -> session.createTextMessage(text));
    }

    // ---- the session

    @Override
    public boolean getTransacted() {
        return JmsErrors.unchecked(session::getTransacted);
    }

    @Override
    public int getSessionMode() {
        return JmsErrors.unchecked(session::getAcknowledgeMode);
    }

    @Override
    public void commit() {
        JmsErrors.uncheckedRun(session::commit);
    }

    @Override
    public void rollback() {
        JmsErrors.uncheckedRun(session::rollback);
    }

    @Override
    public void recover() {
        JmsErrors.uncheckedRun(session::recover);
    }

    @Override
    public void acknowledge() {
        JmsErrors.uncheckedRun(session.core()::acknowledge);
    }

    @Override
    public Queue createQueue(@Nullable String queueName) {
        return JmsErrors.unchecked(() -> session.createQueue(queueName));
    }

    @Override
    public Topic createTopic(@Nullable String topicName) {
        return JmsErrors.unchecked(() -> session.createTopic(topicName));
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return use(session::createTemporaryQueue);
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return use(session::createTemporaryTopic);
    }

    @Override
    public void unsubscribe(@Nullable String name) {
        JmsErrors.uncheckedRun(() -> session.unsubscribe(name));
    }

    // ---- producers, consumers

    @Override
    public JMSProducer createProducer() {
        return use(
                () -> {
                    if (producer == null) {
                        producer = session.core().createProducer(null);
                    }
                    return new ContextProducer(session, producer);
                });
    }

    private JMSConsumer consumer(Call<MessageConsumer> create) {
        return use(
                () -> {
                    JMSConsumer consumer = new ContextConsumer(create.call());
                    if (isAutoStart) {
                        shared.connection().start();
                    }
                    return consumer;
                });
    }

    @Override
    public JMSConsumer createConsumer(@Nullable Destination destination) {
        return consumer(() -> session.createConsumer(destination));
    }

    @Override
    public JMSConsumer createConsumer(
            @Nullable Destination destination, @Nullable String selector) {
        return consumer(() -> session.createConsumer(destination, selector));
    }

    @Override
    public JMSConsumer createConsumer(
            @Nullable Destination destination, @Nullable String selector, boolean noLocal) {
        return consumer(() -> session.createConsumer(destination, selector, noLocal));
    }

    @Override
    public JMSConsumer createDurableConsumer(@Nullable Topic topic, @Nullable String name) {
        return consumer(() -> session.createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(
            @Nullable Topic topic,
            @Nullable String name,
            @Nullable String selector,
            boolean noLocal) {
        return consumer(() -> session.createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(@Nullable Topic topic, @Nullable String name) {
        return consumer(() -> session.createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector) {
        return consumer(() -> session.createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public JMSConsumer createSharedConsumer(@Nullable Topic topic, @Nullable String name) {
        return consumer(() -> session.createSharedConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedConsumer(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector) {
        return consumer(() -> session.createSharedConsumer(topic, name, selector));
    }

    @Override
    public QueueBrowser createBrowser(@Nullable Queue queue) {
        return use(() -> session.createBrowser(queue));
    }

    @Override
    public QueueBrowser createBrowser(@Nullable Queue queue, @Nullable String selector) {
        return use(() -> session.createBrowser(queue, selector));
    }
}
