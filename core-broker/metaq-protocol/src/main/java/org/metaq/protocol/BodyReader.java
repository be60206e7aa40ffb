package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads what {@link BodyWriter} writes, trusting no length. Confined to its user. */
public final class BodyReader {
    private final ByteBuffer in;

    /** Reads the remaining bytes; the buffer's own position stays. */
    public BodyReader(ByteBuffer bytes) {
        in = bytes.duplicate();
    }

    private void need(int count) throws ProtocolException {
        if (count < 0 || in.remaining() < count) {
            throw new ProtocolException(
                    "body cut short: " + count + " bytes wanted, " + in.remaining() + " left");
        }
    }

    /** Next int8, 0..255. */
    public int u8() throws ProtocolException {
        need(1);
        return in.get() & 0xFF;
    }

    /** Next boolean. */
    public boolean bool() throws ProtocolException {
        return u8() != 0;
    }

    /** Next int16. */
    public short i16() throws ProtocolException {
        need(Short.BYTES);
        return in.getShort();
    }

    /** Next int32. */
    public int i32() throws ProtocolException {
        need(Integer.BYTES);
        return in.getInt();
    }

    /** Next int64. */
    public long i64() throws ProtocolException {
        need(Long.BYTES);
        return in.getLong();
    }

    /** Next count of items that take at least {@code itemLength} bytes each. */
    public int count(int itemLength) throws ProtocolException {
        int count = i32();
        if (count < 0 || (long) count * itemLength > in.remaining()) {
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
        need(Integer.BYTES);
        if (in.getInt(in.position()) == -1) {
            in.getInt();
            return null;
        }
        return string();
    }

    /** Next bytes with their length. */
    public byte[] bytes() throws ProtocolException {
        int length = i32();
        need(length);
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** Passes over {@code count} bytes. */
    void skip(int count) throws ProtocolException {
        need(count);
        in.position(in.position() + count);
    }

    /** Reads the next string without making one, and tells whether it is this. */
    boolean nextStringIs(String expected) throws ProtocolException {
        int length = i32();
        need(length);
        int start = in.position();
        in.position(start + length);
        boolean isAscii = true;
        boolean isSame = length == expected.length();
        for (int i = 0; isAscii && i < length; i++) {
            byte next = in.get(start + i);
            isAscii = next >= 0;
            isSame = isSame && next == expected.charAt(i);
        }
        if (isAscii) {
            return isSame;
        }
        byte[] bytes = new byte[length];
        in.get(start, bytes);
        return expected.equals(new String(bytes, StandardCharsets.UTF_8));
    }

    /** A view of what is left, which is thereby read. */
    public ByteBuffer rest() {
        ByteBuffer rest = in.slice();
        in.position(in.limit());
        return rest;
    }

    /** Bytes left. */
    public int remaining() {
        return in.remaining();
    }

    /** Checks that nothing is left. */
    public void end() throws ProtocolException {
        if (in.hasRemaining()) {
            throw new ProtocolException(in.remaining() + " bytes too many");
        }
    }
}
