package org.metaq.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.Envelope.BodyType;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Values;

/** Names and typed values, with the conversions of Jakarta Messaging 3.1 §3.11.3. */
public final class MetaQMapMessage extends MetaQMessage implements MapMessage {
    private Map<String, @Nullable Object> values = new LinkedHashMap<>();

    /** An empty map. */
    public MetaQMapMessage() {}

    private @Nullable Object value(@Nullable String name) {
        return values.get(name);
    }

    private void put(@Nullable String name, @Nullable Object value) throws JMSException {
        checkBodyWriteable();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a name in a map must not be null or empty");
        }
        values.put(name, value);
    }

    @Override
    BodyType bodyType() {
        return BodyType.MAP;
    }

    @Override
    byte[] payload() {
        BodyWriter out = new BodyWriter();
        Values.writeMap(out, values);
        return out.toBytes();
    }

    @Override
    void setPayload(BodyType bodyType, byte[] payload) throws JMSException {
        try {
            BodyReader in = new BodyReader(ByteBuffer.wrap(payload));
            values = Values.readMap(in);
            in.end();
        } catch (ProtocolException e) {
            throw MessageCodec.failure("the body is not a map: " + e.getMessage(), e);
        }
    }

    @Override
    void dropBody() {
        values.clear();
    }

    @Override
    Object body(Class<?> wanted) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        values.forEach((name, value) -> copy.put(name, copyOf(value)));
        return copy;
    }

    private static @Nullable Object copyOf(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    @Override
    public <T> @Nullable T getBody(Class<T> c) throws JMSException {
        return values.isEmpty() ? null : super.getBody(c);
    }

    /** True for maps and their supertypes, and for any type if the map is empty. */
    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class c) {
        return values.isEmpty() || ((Class<?>) c).isAssignableFrom(Map.class);
    }

    @Override
    public boolean getBoolean(@Nullable String name) throws JMSException {
        return Conversions.toBoolean(value(name));
    }

    @Override
    public byte getByte(@Nullable String name) throws JMSException {
        return Conversions.toByte(value(name));
    }

    @Override
    public short getShort(@Nullable String name) throws JMSException {
        return Conversions.toShort(value(name));
    }

    @Override
    public char getChar(@Nullable String name) throws JMSException {
        return Conversions.toChar(value(name));
    }

    @Override
    public int getInt(@Nullable String name) throws JMSException {
        return Conversions.toInt(value(name));
    }

    @Override
    public long getLong(@Nullable String name) throws JMSException {
        return Conversions.toLong(value(name));
    }

    @Override
    public float getFloat(@Nullable String name) throws JMSException {
        return Conversions.toFloat(value(name));
    }

    @Override
    public double getDouble(@Nullable String name) throws JMSException {
        return Conversions.toDouble(value(name));
    }

    @Override
    public @Nullable String getString(@Nullable String name) throws JMSException {
        return Conversions.toText(value(name));
    }

    /** A copy of the bytes; null if absent or null. */
    @Override
    public byte @Nullable [] getBytes(@Nullable String name) throws JMSException {
        return Conversions.toBytes(value(name));
    }

    @Override
    public @Nullable Object getObject(@Nullable String name) {
        return copyOf(value(name));
    }

    @Override
    public Enumeration<String> getMapNames() {
        return Collections.enumeration(List.copyOf(values.keySet()));
    }

    @Override
    public boolean itemExists(@Nullable String name) {
        return values.containsKey(name);
    }

    @Override
    public void setBoolean(@Nullable String name, boolean value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setByte(@Nullable String name, byte value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setShort(@Nullable String name, short value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setChar(@Nullable String name, char value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setInt(@Nullable String name, int value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setLong(@Nullable String name, long value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setFloat(@Nullable String name, float value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setDouble(@Nullable String name, double value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setString(@Nullable String name, @Nullable String value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setBytes(@Nullable String name, byte @Nullable [] value) throws JMSException {
        put(name, copyOf(value));
    }

    @Override
    public void setBytes(@Nullable String name, byte[] value, int offset, int length)
            throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        put(name, Arrays.copyOfRange(value, offset, offset + length));
    }

    /**
     * Sets a value of a type that a map may hold.
     *
     * @throws MessageFormatException if it is no boxed primitive, String or byte array
     */
    @Override
    public void setObject(@Nullable String name, @Nullable Object value) throws JMSException {
        checkBodyWriteable();
        put(name, Conversions.checkBodyValue(value));
    }
}
