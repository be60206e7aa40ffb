package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link BodyWriter} writes, trusting no length. Confined to its user; the bytes must
 * not change meanwhile.
 */
public final class BodyReader {
    private final ByteBuffer in;
    private final int limit;
    private int position;

    /** Reads the remaining bytes of a big-endian buffer, whose own position stays. */
    public BodyReader(ByteBuffer bytes) {
        this(bytes, bytes.position(), bytes.limit());
    }

    /** Reads the bytes from one index of a big-endian buffer to below another. */
    BodyReader(ByteBuffer bytes, int from, int to) {
        in = bytes;
        position = from;
        limit = to;
    }

    /** Passes over so many bytes and tells where they began. */
    private int pass(int count) throws ProtocolException {
        if (count < 0 || limit - position < count) {
            throw new ProtocolException(
                    "body cut short: " + count + " bytes wanted, " + remaining() + " left");
        }
        int start = position;
        position += count;
        return start;
    }

    /** Next int8, 0..255. */
    public int u8() throws ProtocolException {
        return in.get(pass(1)) & 0xFF;
    }

    /** Next boolean. */
    public boolean bool() throws ProtocolException {
        return u8() != 0;
    }

    /** Next int16. */
    public short i16() throws ProtocolException {
        return in.getShort(pass(Short.BYTES));
    }

    /** Next int32. */
    public int i32() throws ProtocolException {
        return in.getInt(pass(Integer.BYTES));
    }

    /** Next int64. */
    public long i64() throws ProtocolException {
        return in.getLong(pass(Long.BYTES));
    }

    /** Next count of items that take at least {@code itemLength} bytes each. */
    public int count(int itemLength) throws ProtocolException {
        int count = i32();
        if (count < 0 || (long) count * itemLength > remaining()) {
            throw new ProtocolException("a count of " + count + " exceeds the body");
        }
        return count;
    }

    /** Next string. */
    public String string() throws ProtocolException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** Next string, null for length -1. */
    public @Nullable String nullableString() throws ProtocolException {
        int length = i32();
        return length == -1 ? null : new String(bytes(length), StandardCharsets.UTF_8);
    }

    /** Next bytes with their length. */
    public byte[] bytes() throws ProtocolException {
        return bytes(i32());
    }

    private byte[] bytes(int length) throws ProtocolException {
        int start = pass(length);
        byte[] bytes = new byte[length];
        in.get(start, bytes);
        return bytes;
    }

    /** Passes over {@code count} bytes. */
    void skip(int count) throws ProtocolException {
        pass(count);
    }

    /** Reads the next string without making one, and tells whether it is this. */
    boolean nextStringIs(String expected) throws ProtocolException {
        int length = i32();
        int start = pass(length);
        int common = Math.min(length, expected.length());
        for (int i = 0; i < common; i++) {
            byte next = in.get(start + i);
            if (next < 0) {
                byte[] bytes = new byte[length];
                in.get(start, bytes);
                return expected.equals(new String(bytes, StandardCharsets.UTF_8));
            }
            if (next != expected.charAt(i)) {
                return false;
            }
        }
        // As far as it is ASCII, a byte is a character.
        return length == expected.length();
    }

    /** A view of what is left, which is thereby read. */
    public ByteBuffer rest() {
        int start = position;
        position = limit;
        return in.slice(start, limit - start);
    }

    /** Bytes left. */
    public int remaining() {
        return limit - position;
    }

    /** Checks that nothing is left. */
    public void end() throws ProtocolException {
        if (remaining() > 0) {
            throw new ProtocolException(remaining() + " bytes too many");
        }
    }
}
