package org.metaq.jms.session;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.StreamMessage;
import org.jspecify.annotations.Nullable;

/** JMSConsumer over a classic consumer. Confined as its session is. */
final class ContextConsumer implements JMSConsumer {
    private final MetaQConsumer consumer;

    ContextConsumer(MessageConsumer consumer) {
        this.consumer = (MetaQConsumer) consumer;
    }

    @Override
    public @Nullable String getMessageSelector() {
        return JmsErrors.uncheckedOrNull(consumer::getMessageSelector);
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return JmsErrors.uncheckedOrNull(consumer::getMessageListener);
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        JmsErrors.uncheckedRun(() -> consumer.setMessageListener(listener));
    }

    @Override
    public @Nullable Message receive() {
        return JmsErrors.uncheckedOrNull(() -> consumer.receive());
    }

    @Override
    public @Nullable Message receive(long timeout) {
        return JmsErrors.uncheckedOrNull(() -> consumer.receive(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return JmsErrors.uncheckedOrNull(consumer::receiveNoWait);
    }

    @Override
    public void close() {
        JmsErrors.uncheckedRun(consumer::close);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return JmsErrors.uncheckedOrNull(
                () -> consumer.receiveAs(Long.MAX_VALUE, message -> body(message, type)));
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
        long wait = timeout == 0 ? Long.MAX_VALUE : timeout;
        return JmsErrors.uncheckedOrNull(
                () -> consumer.receiveAs(wait, message -> body(message, type)));
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return JmsErrors.uncheckedOrNull(
                () -> consumer.receiveAs(0, message -> body(message, type)));
    }

    /**
     * The body. Jakarta Messaging 3.1 §8.6: for a message that has none, or is a StreamMessage, or
     * cannot be given as this type, MessageFormatRuntimeException.
     */
    private static <T> T body(Message message, Class<T> type) throws JMSException {
        if (message instanceof StreamMessage || !message.isBodyAssignableTo(type)) {
            throw new MessageFormatException(
                    "the body of " + message.getJMSMessageID() + " is no " + type.getName());
        }
        T body = message.getBody(type);
        if (body == null) {
            throw new MessageFormatException(
                    "the message " + message.getJMSMessageID() + " has no body");
        }
        return body;
    }
}
