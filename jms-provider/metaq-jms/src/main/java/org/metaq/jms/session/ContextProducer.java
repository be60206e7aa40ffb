package org.metaq.jms.session;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.message.MessageProperties;
import org.metaq.jms.session.JmsErrors.Action;

/**
 * JMSProducer: settings, properties and headers that it puts on what it sends through its context's
 * producer. Confined as its context is.
 */
final class ContextProducer implements JMSProducer {
    private final MetaQSession session;
    private final MetaQProducer producer;
    private final MessageProperties properties = new MessageProperties();

    private boolean isMessageIdDisabled;
    private boolean isTimestampDisabled;
    private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;
    private int priority = Message.DEFAULT_PRIORITY;
    private long timeToLiveMs;
    private long deliveryDelayMs;
    private @Nullable CompletionListener completion;
    private @Nullable String correlationId;
    private byte @Nullable [] correlationIdBytes;
    private @Nullable String type;
    private @Nullable Destination replyTo;

    ContextProducer(MetaQSession session, MetaQProducer producer) {
        this.session = session;
        this.producer = producer;
    }

    // ---- send

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Message message) {
        return run(() -> doSend(destination, message));
    }

    private void doSend(@Nullable Destination destination, @Nullable Message message)
            throws JMSException {
        if (message == null) {
            throw new MessageFormatException("no message given");
        }
        setHeaders(message);
        producer.setDisableMessageID(isMessageIdDisabled);
        producer.setDisableMessageTimestamp(isTimestampDisabled);
        producer.setDeliveryDelay(deliveryDelayMs);
        if (completion == null) {
            producer.send(destination, message, deliveryMode, priority, timeToLiveMs);
        } else {
            producer.send(destination, message, deliveryMode, priority, timeToLiveMs, completion);
        }
    }

    private void setHeaders(Message message) throws JMSException {
        for (String name : properties.names()) {
            message.setObjectProperty(name, properties.get(name));
        }
        if (correlationIdBytes != null) {
            message.setJMSCorrelationIDAsBytes(correlationIdBytes);
        } else if (correlationId != null) {
            message.setJMSCorrelationID(correlationId);
        }
        if (type != null) {
            message.setJMSType(type);
        }
        if (replyTo != null) {
            message.setJMSReplyTo(replyTo);
        }
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable String body) {
        return run(() -> doSend(destination, session.createTextMessage(body)));
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Map<String, Object> body) {
        return run(
                () -> {
                    MapMessage message = session.createMapMessage();
                    if (body != null) {
                        for (Map.Entry<String, Object> entry : body.entrySet()) {
                            message.setObject(entry.getKey(), entry.getValue());
                        }
                    }
                    doSend(destination, message);
                });
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, byte @Nullable [] body) {
        return run(
                () -> {
                    BytesMessage message = session.createBytesMessage();
                    if (body != null) {
                        message.writeBytes(body);
                    }
                    doSend(destination, message);
                });
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Serializable body) {
        return run(() -> doSend(destination, session.createObjectMessage(body)));
    }

    private JMSProducer run(Action action) {
        JmsErrors.uncheckedRun(action);
        return this;
    }

    // ---- settings

    @Override
    public JMSProducer setDisableMessageID(boolean value) {
        isMessageIdDisabled = value;
        return this;
    }

    @Override
    public boolean getDisableMessageID() {
        return isMessageIdDisabled;
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean value) {
        isTimestampDisabled = value;
        return this;
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return isTimestampDisabled;
    }

    @Override
    public JMSProducer setDeliveryMode(int value) {
        return run(() -> deliveryMode = MetaQProducer.checkedDeliveryMode(value));
    }

    @Override
    public int getDeliveryMode() {
        return deliveryMode;
    }

    @Override
    public JMSProducer setPriority(int value) {
        return run(() -> priority = MetaQProducer.checkedPriority(value));
    }

    @Override
    public int getPriority() {
        return priority;
    }

    @Override
    public JMSProducer setTimeToLive(long value) {
        return run(() -> timeToLiveMs = MetaQProducer.checkedTimeToLive(value));
    }

    @Override
    public long getTimeToLive() {
        return timeToLiveMs;
    }

    @Override
    public JMSProducer setDeliveryDelay(long value) {
        return run(() -> deliveryDelayMs = MetaQProducer.checkedDeliveryDelay(value));
    }

    @Override
    public long getDeliveryDelay() {
        return deliveryDelayMs;
    }

    @Override
    public JMSProducer setAsync(@Nullable CompletionListener listener) {
        completion = listener;
        return this;
    }

    @Override
    public @Nullable CompletionListener getAsync() {
        return completion;
    }

    // ---- headers

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte @Nullable [] id) {
        correlationIdBytes = id == null ? null : id.clone();
        correlationId = null;
        return this;
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        return correlationIdBytes == null ? null : correlationIdBytes.clone();
    }

    @Override
    public JMSProducer setJMSCorrelationID(@Nullable String id) {
        correlationId = id;
        correlationIdBytes = null;
        return this;
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        return correlationId;
    }

    @Override
    public JMSProducer setJMSType(@Nullable String value) {
        type = value;
        return this;
    }

    @Override
    public @Nullable String getJMSType() {
        return type;
    }

    @Override
    public JMSProducer setJMSReplyTo(@Nullable Destination destination) {
        replyTo = destination;
        return this;
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return replyTo;
    }

    // ---- properties

    private JMSProducer set(@Nullable String name, @Nullable Object value) {
        return run(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer clearProperties() {
        properties.clear();
        return this;
    }

    @Override
    public boolean propertyExists(@Nullable String name) {
        return properties.has(name);
    }

    /** A copy that cannot be changed. */
    @Override
    public Set<String> getPropertyNames() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(properties.names()));
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, @Nullable String value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, @Nullable Object value) {
        return set(name, value);
    }

    @Override
    public @Nullable String getStringProperty(@Nullable String name) {
        return JmsErrors.uncheckedOrNull(() -> properties.getString(name));
    }

    @Override
    public @Nullable Object getObjectProperty(@Nullable String name) {
        return properties.get(name);
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, boolean value) {
        return set(name, value);
    }

    @Override
    public boolean getBooleanProperty(@Nullable String name) {
        return JmsErrors.unchecked(() -> properties.getBoolean(name));
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, byte value) {
        return set(name, value);
    }

    @Override
    public byte getByteProperty(@Nullable String name) {
        return JmsErrors.unchecked(() -> properties.getByte(name));
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, short value) {
        return set(name, value);
    }

    @Override
    public short getShortProperty(@Nullable String name) {
        return JmsErrors.unchecked(() -> properties.getShort(name));
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, int value) {
        return set(name, value);
    }

    @Override
    public int getIntProperty(@Nullable String name) {
        return JmsErrors.unchecked(() -> properties.getInt(name));
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, long value) {
        return set(name, value);
    }

    @Override
    public long getLongProperty(@Nullable String name) {
        return JmsErrors.unchecked(() -> properties.getLong(name));
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, float value) {
        return set(name, value);
    }

    @Override
    public float getFloatProperty(@Nullable String name) {
        return JmsErrors.unchecked(() -> properties.getFloat(name));
    }

    @Override
    public JMSProducer setProperty(@Nullable String name, double value) {
        return set(name, value);
    }

    @Override
    public double getDoubleProperty(@Nullable String name) {
        return JmsErrors.unchecked(() -> properties.getDouble(name));
    }
}
