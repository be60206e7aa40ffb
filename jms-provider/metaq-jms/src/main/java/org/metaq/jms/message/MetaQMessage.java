package org.metaq.jms.message;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.Envelope.BodyType;

/**
 * A message without body, and what all kinds of message share: headers, properties,
 * acknowledgement.
 *
 * <p>A received message's properties and body are read-only until cleared (Jakarta Messaging 3.1
 * §3.10); its headers can be set. Confined to the thread of its session, as {@link Message} says.
 */
public class MetaQMessage implements Message {
    private @Nullable String messageId;
    private long timestampMs;
    private @Nullable String correlationId;
    private byte @Nullable [] correlationIdBytes;
    private @Nullable Destination replyTo;
    private @Nullable Destination destination;
    private int deliveryMode = DEFAULT_DELIVERY_MODE;
    private boolean isRedelivered;
    private @Nullable String type;
    private long expirationMs;
    private long deliveryTimeMs;
    private int priority = DEFAULT_PRIORITY;
    private @Nullable String origin;

    private MessageProperties properties = new MessageProperties();
    private boolean isPropertiesReadOnly;
    private boolean isBodyReadOnly;
    private @Nullable Acknowledger acknowledger;

    /** A new message that can be written. */
    public MetaQMessage() {}

    // ---- for sessions

    /** Sets what {@link #acknowledge} calls; null: it does nothing. */
    public void setAcknowledger(@Nullable Acknowledger acknowledger) {
        this.acknowledger = acknowledger;
    }

    /** Sets {@code JMSXDeliveryCount}, which starts at 1; the flag of redelivery is set apart. */
    public void setDeliveryCount(int deliveryCount) {
        properties.setByProvider(PropertyNames.DELIVERY_COUNT, deliveryCount);
    }

    /** Who sent it, as given to {@link MessageCodec#encode}; null for a message not received. */
    public @Nullable String origin() {
        return origin;
    }

    // ---- for the codec

    /** What the payload holds. */
    BodyType bodyType() {
        return BodyType.NONE;
    }

    /** The body's bytes; the caller only reads them. */
    byte[] payload() {
        return new byte[0];
    }

    /** Takes a received body, which from now on belongs to this message. */
    void setPayload(BodyType bodyType, byte[] payload) throws JMSException {
        // Nothing to take: a plain message has no body.
    }

    /** Headers and properties for the wire. */
    final Envelope toEnvelope(@Nullable String sender) throws JMSException {
        var encodable = properties.encodable();
        encodable.remove(PropertyNames.DELIVERY_COUNT);
        return new Envelope(
                bodyType(),
                deliveryMode,
                priority,
                timestampMs,
                expirationMs,
                deliveryTimeMs,
                messageId,
                correlationId,
                correlationIdBytes,
                type,
                destination == null ? null : MetaQDestination.from(destination).address(),
                replyTo == null ? null : MetaQDestination.from(replyTo).address(),
                sender,
                encodable);
    }

    /** Takes headers and properties from the wire. */
    final void setEnvelope(Envelope envelope) {
        messageId = envelope.messageId();
        timestampMs = envelope.timestampMs();
        correlationId = envelope.correlationId();
        correlationIdBytes = envelope.correlationIdBytes();
        type = envelope.type();
        deliveryMode = envelope.deliveryMode();
        priority = envelope.priority();
        expirationMs = envelope.expirationMs();
        deliveryTimeMs = envelope.deliveryTimeMs();
        destination = destinationOf(envelope.destination());
        replyTo = destinationOf(envelope.replyTo());
        origin = envelope.origin();
        properties = new MessageProperties(envelope.properties());
    }

    private static @Nullable Destination destinationOf(Envelope.@Nullable Address address) {
        return address == null ? null : MetaQDestination.of(address);
    }

    /** Takes the attribute of a message that no JMS client sent. */
    final void setClassic(long classicId, @Nullable String attribute) {
        messageId = "ID:metaq-" + classicId;
        if (attribute != null) {
            properties.setByProvider(PropertyNames.CLASSIC_ATTRIBUTE, attribute);
        }
    }

    /** Makes body and properties read-only, as they are on receipt. */
    final void freeze() {
        isPropertiesReadOnly = true;
        isBodyReadOnly = true;
    }

    // ---- state of the body, for the kinds of message

    final boolean isBodyReadOnly() {
        return isBodyReadOnly;
    }

    final void setBodyReadOnly(boolean readOnly) {
        isBodyReadOnly = readOnly;
    }

    final void checkBodyWriteable() throws MessageNotWriteableException {
        if (isBodyReadOnly) {
            throw new MessageNotWriteableException(
                    "the body is read-only: the message was received or reset; clearBody() first");
        }
    }

    /** Forgets the body. */
    void dropBody() {
        // Nothing to forget: a plain message has no body.
    }

    @Override
    public void clearBody() throws JMSException {
        dropBody();
        isBodyReadOnly = false;
    }

    /** The body for {@link #getBody}, null if there is none. */
    @Nullable Object body(Class<?> wanted) throws JMSException {
        return null;
    }

    @Override
    public <T> @Nullable T getBody(Class<T> c) throws JMSException {
        if (!isBodyAssignableTo(c)) {
            throw new MessageFormatException(
                    "the body of " + this + " cannot be given as " + c.getName());
        }
        return c.cast(body(c));
    }

    /** True: a message without body gives null as any type (Jakarta Messaging 3.1 §3.11.7). */
    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class c) throws JMSException {
        return true;
    }

    @Override
    public void acknowledge() throws JMSException {
        if (acknowledger != null) {
            acknowledger.acknowledge();
        }
    }

    // ---- headers

    @Override
    public @Nullable String getJMSMessageID() {
        return messageId;
    }

    @Override
    public void setJMSMessageID(@Nullable String id) {
        messageId = id;
    }

    @Override
    public long getJMSTimestamp() {
        return timestampMs;
    }

    @Override
    public void setJMSTimestamp(long timestamp) {
        timestampMs = timestamp;
    }

    /** The id in the form in which it was set, made of its UTF-8 if that was text; a copy. */
    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        if (correlationIdBytes != null) {
            return correlationIdBytes.clone();
        }
        return correlationId == null ? null : correlationId.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void setJMSCorrelationIDAsBytes(byte @Nullable [] id) {
        correlationIdBytes = id == null ? null : id.clone();
        correlationId = null;
    }

    /** The id in the form in which it was set, read as UTF-8 if that was bytes. */
    @Override
    public @Nullable String getJMSCorrelationID() {
        return correlationIdBytes == null
                ? correlationId
                : new String(correlationIdBytes, StandardCharsets.UTF_8);
    }

    @Override
    public void setJMSCorrelationID(@Nullable String id) {
        correlationId = id;
        correlationIdBytes = null;
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return replyTo;
    }

    @Override
    public void setJMSReplyTo(@Nullable Destination replyTo) {
        this.replyTo = replyTo;
    }

    @Override
    public @Nullable Destination getJMSDestination() {
        return destination;
    }

    @Override
    public void setJMSDestination(@Nullable Destination destination) {
        this.destination = destination;
    }

    @Override
    public int getJMSDeliveryMode() {
        return deliveryMode;
    }

    @Override
    public void setJMSDeliveryMode(int deliveryMode) throws JMSException {
        if (deliveryMode != DeliveryMode.PERSISTENT
                && deliveryMode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException(
                    "delivery mode " + deliveryMode + "; it is 1 (NON_PERSISTENT) or 2");
        }
        this.deliveryMode = deliveryMode;
    }

    @Override
    public boolean getJMSRedelivered() {
        return isRedelivered;
    }

    @Override
    public void setJMSRedelivered(boolean redelivered) {
        isRedelivered = redelivered;
    }

    @Override
    public @Nullable String getJMSType() {
        return type;
    }

    @Override
    public void setJMSType(@Nullable String type) {
        this.type = type;
    }

    @Override
    public long getJMSExpiration() {
        return expirationMs;
    }

    @Override
    public void setJMSExpiration(long expiration) {
        expirationMs = expiration;
    }

    @Override
    public long getJMSDeliveryTime() {
        return deliveryTimeMs;
    }

    @Override
    public void setJMSDeliveryTime(long deliveryTime) {
        deliveryTimeMs = deliveryTime;
    }

    @Override
    public int getJMSPriority() {
        return priority;
    }

    @Override
    public void setJMSPriority(int priority) throws JMSException {
        if (priority < 0 || priority > 9) {
            throw new JMSException("priority " + priority + "; it is 0 to 9");
        }
        this.priority = priority;
    }

    // ---- properties

    private void setProperty(@Nullable String name, @Nullable Object value) throws JMSException {
        if (isPropertiesReadOnly) {
            throw new MessageNotWriteableException(
                    "the properties are read-only: the message was received;"
                            + " clearProperties() first");
        }
        properties.set(name, value);
    }

    @Override
    public void clearProperties() {
        properties.clear();
        isPropertiesReadOnly = false;
    }

    @Override
    public boolean propertyExists(@Nullable String name) {
        return properties.has(name);
    }

    @Override
    public boolean getBooleanProperty(@Nullable String name) throws JMSException {
        return properties.getBoolean(name);
    }

    @Override
    public byte getByteProperty(@Nullable String name) throws JMSException {
        return properties.getByte(name);
    }

    @Override
    public short getShortProperty(@Nullable String name) throws JMSException {
        return properties.getShort(name);
    }

    @Override
    public int getIntProperty(@Nullable String name) throws JMSException {
        return properties.getInt(name);
    }

    @Override
    public long getLongProperty(@Nullable String name) throws JMSException {
        return properties.getLong(name);
    }

    @Override
    public float getFloatProperty(@Nullable String name) throws JMSException {
        return properties.getFloat(name);
    }

    @Override
    public double getDoubleProperty(@Nullable String name) throws JMSException {
        return properties.getDouble(name);
    }

    @Override
    public @Nullable String getStringProperty(@Nullable String name) throws JMSException {
        return properties.getString(name);
    }

    @Override
    public @Nullable Object getObjectProperty(@Nullable String name) {
        return properties.get(name);
    }

    @Override
    public Enumeration<String> getPropertyNames() {
        return Collections.enumeration(List.copyOf(properties.names()));
    }

    @Override
    public void setBooleanProperty(@Nullable String name, boolean value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public void setByteProperty(@Nullable String name, byte value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public void setShortProperty(@Nullable String name, short value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public void setIntProperty(@Nullable String name, int value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public void setLongProperty(@Nullable String name, long value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public void setFloatProperty(@Nullable String name, float value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public void setDoubleProperty(@Nullable String name, double value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public void setStringProperty(@Nullable String name, @Nullable String value)
            throws JMSException {
        setProperty(name, value);
    }

    @Override
    public void setObjectProperty(@Nullable String name, @Nullable Object value)
            throws JMSException {
        setProperty(name, value);
    }

    /** Kind, id and destination; never the body. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + messageId + ", " + destination + "]";
    }
}
