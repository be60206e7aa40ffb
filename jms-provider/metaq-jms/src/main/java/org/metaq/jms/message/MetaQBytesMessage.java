package org.metaq.jms.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.Envelope.BodyType;

/**
 * Uninterpreted bytes, written and read as {@link java.io.DataOutput} does. A read that fails
 * leaves the position where it was.
 */
public final class MetaQBytesMessage extends MetaQMessage implements BytesMessage {
    // Exactly one of the two is the body: written while it is write-only, bytes once it is read.
    private @Nullable BodyWriter written;
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    /** An empty body that is written. */
    public MetaQBytesMessage() {}

    @Override
    BodyType bodyType() {
        return BodyType.BYTES;
    }

    @Override
    byte[] payload() {
        return written != null ? written.toBytes() : bytes.array();
    }

    @Override
    void setPayload(BodyType bodyType, byte[] payload) {
        written = null;
        bytes = ByteBuffer.wrap(payload);
    }

    @Override
    void dropBody() {
        setPayload(BodyType.BYTES, new byte[0]);
    }

    @Override
    public void reset() {
        if (written != null) {
            setPayload(BodyType.BYTES, written.toBytes());
        }
        bytes.rewind();
        setBodyReadOnly(true);
    }

    private boolean isEmpty() {
        return written != null ? written.length() == 0 : bytes.capacity() == 0;
    }

    /** A copy of all bytes, null if there are none; the message is reset before and after. */
    @Override
    public <T> @Nullable T getBody(Class<T> c) throws JMSException {
        if (!isBodyAssignableTo(c)) {
            throw new MessageFormatException(
                    "the body of a BytesMessage is a byte[], not a " + c.getName());
        }
        reset();
        return isEmpty() ? null : c.cast(bytes.array().clone());
    }

    /** True for {@code byte[]} and {@code Object}, and for any type if there are no bytes. */
    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class c) {
        return isEmpty() || c == byte[].class || c == Object.class;
    }

    private void checkReadable() throws MessageNotReadableException {
        if (!isBodyReadOnly()) {
            throw new MessageNotReadableException("the body is write-only; reset() first");
        }
    }

    @Override
    public long getBodyLength() throws JMSException {
        checkReadable();
        return bytes.capacity();
    }

    private ByteBuffer need(int count) throws JMSException {
        checkReadable();
        if (bytes.remaining() < count) {
            throw new MessageEOFException(
                    count + " bytes wanted, " + bytes.remaining() + " of the body are left");
        }
        return bytes;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return need(1).get() != 0;
    }

    @Override
    public byte readByte() throws JMSException {
        return need(1).get();
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return need(1).get() & 0xFF;
    }

    @Override
    public short readShort() throws JMSException {
        return need(Short.BYTES).getShort();
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return need(Short.BYTES).getShort() & 0xFFFF;
    }

    @Override
    public char readChar() throws JMSException {
        return need(Character.BYTES).getChar();
    }

    @Override
    public int readInt() throws JMSException {
        return need(Integer.BYTES).getInt();
    }

    @Override
    public long readLong() throws JMSException {
        return need(Long.BYTES).getLong();
    }

    @Override
    public float readFloat() throws JMSException {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() throws JMSException {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    public String readUTF() throws JMSException {
        checkReadable();
        ByteArrayInputStream rest =
                new ByteArrayInputStream(bytes.array(), bytes.position(), bytes.remaining());
        try {
            String text = new DataInputStream(rest).readUTF();
            bytes.position(bytes.capacity() - rest.available());
            return text;
        } catch (EOFException e) {
            MessageEOFException end = new MessageEOFException("the body ends within the string");
            end.initCause(e);
            throw end;
        } catch (IOException e) {
            MessageFormatException bad =
                    new MessageFormatException("no string in modified UTF-8: " + e.getMessage());
            bad.initCause(e);
            throw bad;
        }
    }

    @Override
    public int readBytes(byte[] value) throws JMSException {
        return readBytes(value, value.length);
    }

    /**
     * Reads at most {@code length} bytes.
     *
     * @return bytes read; -1 if all were read before
     * @throws IndexOutOfBoundsException if the length is negative or exceeds the array
     */
    @Override
    public int readBytes(byte[] value, int length) throws JMSException {
        checkReadable();
        Objects.checkFromIndexSize(0, length, value.length);
        if (!bytes.hasRemaining()) {
            return -1;
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(value, 0, count);
        return count;
    }

    private BodyWriter out() throws JMSException {
        checkBodyWriteable();
        if (written == null) {
            written = new BodyWriter();
        }
        return written;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        out().bool(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        out().u8(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        out().i16(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        out().i16(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        out().i32(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        out().i64(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        out().i32(Float.floatToIntBits(value));
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        out().i64(Double.doubleToLongBits(value));
    }

    /**
     * Writes a string in modified UTF-8 after its length.
     *
     * @throws MessageFormatException if it takes more than 65,535 bytes; nothing is written
     */
    @Override
    public void writeUTF(String value) throws JMSException {
        checkBodyWriteable();
        try {
            ByteArrayOutputStream encoded = new ByteArrayOutputStream(value.length() + Short.BYTES);
            new DataOutputStream(encoded).writeUTF(value);
            out().raw(encoded.toByteArray());
        } catch (IOException e) {
            MessageFormatException tooLong =
                    new MessageFormatException(
                            "writeUTF takes strings of up to 65535 bytes: " + e.getMessage());
            tooLong.initCause(e);
            throw tooLong;
        }
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        out().raw(value);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        out().raw(ByteBuffer.wrap(value, offset, length));
    }

    /**
     * Writes a value as the method for its type does.
     *
     * @throws NullPointerException if it is null
     * @throws MessageFormatException if it is no boxed primitive, String or byte array
     */
    @Override
    public void writeObject(Object value) throws JMSException {
        checkBodyWriteable();
        Objects.requireNonNull(value, "value");
        if (value instanceof Boolean v) {
            writeBoolean(v);
        } else if (value instanceof Byte v) {
            writeByte(v);
        } else if (value instanceof Short v) {
            writeShort(v);
        } else if (value instanceof Character v) {
            writeChar(v);
        } else if (value instanceof Integer v) {
            writeInt(v);
        } else if (value instanceof Long v) {
            writeLong(v);
        } else if (value instanceof Float v) {
            writeFloat(v);
        } else if (value instanceof Double v) {
            writeDouble(v);
        } else if (value instanceof String v) {
            writeUTF(v);
        } else if (value instanceof byte[] v) {
            writeBytes(v);
        } else {
            throw new MessageFormatException(
                    "a value of " + value.getClass().getName() + " cannot be written as bytes");
        }
    }
}
