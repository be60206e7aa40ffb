package org.metaq.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Envelope.BodyType;

/**
 * A serialized object. It is serialized when set, so that later changes to it do not show, and read
 * anew at each call, a received one only if every class in it is on the connection's {@link
 * AllowList}.
 */
public final class MetaQObjectMessage extends MetaQMessage implements ObjectMessage {
    // Empty for null.
    private byte[] serialized = new byte[0];
    // Null while the application itself set the object: its own classes need no permission.
    private @Nullable AllowList allowList;
    private final @Nullable AllowList allowListOnReceipt;

    /** A message whose object is null. */
    public MetaQObjectMessage() {
        allowListOnReceipt = null;
    }

    /** A message that is to be received. */
    MetaQObjectMessage(AllowList allowList) {
        allowListOnReceipt = allowList;
    }

    /**
     * Serializes the object.
     *
     * @throws MessageFormatException if it cannot be serialized; the body is as before
     */
    @Override
    public void setObject(@Nullable Serializable object) throws JMSException {
        checkBodyWriteable();
        serialized = object == null ? new byte[0] : serialize(object);
        allowList = null;
    }

    private static byte[] serialize(Serializable object) throws MessageFormatException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException | RuntimeException e) {
            // A writeObject method of the application's may throw anything.
            MessageFormatException failure =
                    new MessageFormatException(
                            object.getClass().getName() + " cannot be serialized: " + e);
            failure.initCause(e);
            throw failure;
        }
        return bytes.toByteArray();
    }

    /**
     * A new copy of the object.
     *
     * @throws MessageFormatException if a class in it is not allowed or not found, or the bytes are
     *     no object
     */
    @Override
    public @Nullable Serializable getObject() throws JMSException {
        return serialized.length == 0 ? null : ObjectReader.read(serialized, allowList);
    }

    @Override
    BodyType bodyType() {
        return BodyType.OBJECT;
    }

    @Override
    byte[] payload() {
        return serialized;
    }

    @Override
    void setPayload(BodyType bodyType, byte[] payload) {
        serialized = payload;
        allowList = allowListOnReceipt;
    }

    @Override
    void dropBody() {
        serialized = new byte[0];
    }

    @Override
    @Nullable Object body(Class<?> wanted) throws JMSException {
        return getObject();
    }

    @Override
    public <T> @Nullable T getBody(Class<T> c) throws JMSException {
        Serializable object = getObject();
        if (object != null && !c.isInstance(object)) {
            throw new MessageFormatException(
                    "the object is a "
                            + object.getClass().getName()
                            + ", which cannot be given as "
                            + c.getName());
        }
        return c.cast(object);
    }

    /** True if the object is an instance of the type, or null. */
    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class c) throws JMSException {
        Serializable object = getObject();
        return object == null || c.isInstance(object);
    }
}
