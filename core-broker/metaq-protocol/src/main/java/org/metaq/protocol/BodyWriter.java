package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Growing big-endian buffer for bodies and records. Confined to its user. */
public final class BodyWriter {
    private byte[] bytes;
    private int length;

    /** Empty, with room for 64 bytes. */
    public BodyWriter() {
        this(64);
    }

    /** Empty, with room for {@code capacity} bytes. */
    public BodyWriter(int capacity) {
        bytes = new byte[capacity];
    }

    private int grow(int count) {
        int at = length;
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, count)));
        }
        length += count;
        return at;
    }

    /** Appends an int8. */
    public BodyWriter u8(int value) {
        int at = grow(1);
        bytes[at] = (byte) value;
        return this;
    }

    /** Appends a boolean as int8 0 or 1. */
    public BodyWriter bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    /** Appends an int16. */
    public BodyWriter i16(int value) {
        int at = grow(Short.BYTES);
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
        return this;
    }

    /** Appends an int32. */
    public BodyWriter i32(int value) {
        int at = grow(Integer.BYTES);
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[at + i] = (byte) (value >>> (24 - 8 * i));
        }
        return this;
    }

    /** Appends an int64. */
    public BodyWriter i64(long value) {
        return i32((int) (value >>> 32)).i32((int) value);
    }

    /** Appends an int32 length and UTF-8. */
    public BodyWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Appends a string, or length -1 for null. */
    public BodyWriter nullableString(@Nullable String value) {
        return value == null ? i32(-1) : string(value);
    }

    /** Appends an int32 length and the bytes. */
    public BodyWriter bytes(byte[] value) {
        i32(value.length);
        return raw(value);
    }

    /** Appends bytes without a length. */
    public BodyWriter raw(byte[] value) {
        int at = grow(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
        return this;
    }

    /** Appends the remaining bytes without a length; the position stays. */
    public BodyWriter raw(ByteBuffer value) {
        int count = value.remaining();
        int at = grow(count);
        value.get(value.position(), bytes, at, count);
        return this;
    }

    /** Overwrites the int32 at an index written before. */
    public BodyWriter setI32(int index, int value) {
        ByteBuffer.wrap(bytes, 0, length).putInt(index, value);
        return this;
    }

    /** Bytes written so far. */
    public int length() {
        return length;
    }

    /** Forgets what was written, keeps the room. */
    public void clear() {
        length = 0;
    }

    /** A view of what was written; later writes may or may not show in it. */
    public ByteBuffer toBuffer() {
        return ByteBuffer.wrap(bytes, 0, length).slice();
    }

    /** A copy of what was written. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }
}
