package org.metaq.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.StreamMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.Envelope.BodyType;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Values;

/**
 * Typed values in a row, with the conversions of Jakarta Messaging 3.1 §3.11.3. A read that fails
 * leaves its value to be read again.
 */
public final class MetaQStreamMessage extends MetaQMessage implements StreamMessage {
    private static final int NOT_IN_BYTES = -1;

    private final List<@Nullable Object> values = new ArrayList<>();
    // Index of the value to read next.
    private int next;
    // How much of that value, an array, readBytes has given so far.
    private int bytesRead = NOT_IN_BYTES;

    /** An empty stream that is written. */
    public MetaQStreamMessage() {}

    @Override
    BodyType bodyType() {
        return BodyType.STREAM;
    }

    @Override
    byte[] payload() {
        BodyWriter out = new BodyWriter();
        values.forEach(value -> Values.write(out, value));
        return out.toBytes();
    }

    @Override
    void setPayload(BodyType bodyType, byte[] payload) throws JMSException {
        try {
            BodyReader in = new BodyReader(ByteBuffer.wrap(payload));
            while (in.remaining() > 0) {
                values.add(Values.read(in));
            }
        } catch (ProtocolException e) {
            throw MessageCodec.failure("the body is not a stream: " + e.getMessage(), e);
        }
    }

    @Override
    void dropBody() {
        values.clear();
        rewind();
    }

    private void rewind() {
        next = 0;
        bytesRead = NOT_IN_BYTES;
    }

    @Override
    public void reset() {
        setBodyReadOnly(true);
        rewind();
    }

    /** Fails: a stream has no body that one type could hold (Jakarta Messaging 3.1 §3.11.7). */
    @Override
    public <T> T getBody(Class<T> c) throws JMSException {
        throw new MessageFormatException("the body of a StreamMessage is read value by value");
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class c) {
        return false;
    }

    /** Reads one value as another type. */
    private interface Conversion<T> {
        T apply(@Nullable Object value) throws JMSException;
    }

    private <T> T read(Conversion<T> conversion) throws JMSException {
        T converted = conversion.apply(current());
        next++;
        return converted;
    }

    private @Nullable Object current() throws JMSException {
        Object value = peek();
        if (bytesRead != NOT_IN_BYTES) {
            throw new MessageFormatException(
                    "the byte array before must be read to its end first: readBytes() until it"
                            + " returns less than the buffer's length");
        }
        return value;
    }

    private @Nullable Object peek() throws JMSException {
        if (!isBodyReadOnly()) {
            throw new MessageNotReadableException("the body is write-only; reset() first");
        }
        if (next >= values.size()) {
            throw new MessageEOFException("all " + values.size() + " values were read");
        }
        return values.get(next);
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return read(Conversions::toBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return read(Conversions::toByte);
    }

    @Override
    public short readShort() throws JMSException {
        return read(Conversions::toShort);
    }

    @Override
    public char readChar() throws JMSException {
        return read(Conversions::toChar);
    }

    @Override
    public int readInt() throws JMSException {
        return read(Conversions::toInt);
    }

    @Override
    public long readLong() throws JMSException {
        return read(Conversions::toLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return read(Conversions::toFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return read(Conversions::toDouble);
    }

    @Override
    public @Nullable String readString() throws JMSException {
        String text = Conversions.toText(current());
        next++;
        return text;
    }

    @Override
    public @Nullable Object readObject() throws JMSException {
        Object value = current();
        next++;
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    /**
     * Reads the next bytes of an array value: the value is done with when a call returns less than
     * the buffer's length, or -1; until then no other read is allowed.
     *
     * @return bytes read; -1 if the value is null or earlier calls gave all of it
     */
    @Override
    public int readBytes(byte[] value) throws JMSException {
        Objects.requireNonNull(value, "value");
        Object current = peek();
        if (current == null) {
            next++;
            return -1;
        }
        if (!(current instanceof byte[] bytes)) {
            throw new MessageFormatException(
                    "a value of "
                            + current.getClass().getSimpleName()
                            + " cannot be read as byte[]");
        }
        boolean isFirstCall = bytesRead == NOT_IN_BYTES;
        int start = isFirstCall ? 0 : bytesRead;
        int count = Math.min(bytes.length - start, value.length);
        System.arraycopy(bytes, start, value, 0, count);
        if (count < value.length) {
            next++;
            bytesRead = NOT_IN_BYTES;
            return count == 0 && !isFirstCall ? -1 : count;
        }
        bytesRead = start + count;
        return count;
    }

    private void write(@Nullable Object value) throws JMSException {
        checkBodyWriteable();
        values.add(value);
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(value);
    }

    @Override
    public void writeString(@Nullable String value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(byte @Nullable [] value) throws JMSException {
        write(value == null ? null : value.clone());
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        write(Arrays.copyOfRange(value, offset, offset + length));
    }

    /**
     * Writes a value of a type that a stream may hold.
     *
     * @throws MessageFormatException if it is no boxed primitive, String or byte array
     */
    @Override
    public void writeObject(@Nullable Object value) throws JMSException {
        checkBodyWriteable();
        write(Conversions.checkBodyValue(value));
    }
}
