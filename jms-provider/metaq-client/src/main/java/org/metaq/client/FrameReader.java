package org.metaq.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Limits;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Reply;

/**
 * Cuts the bytes of a connection into replies, whatever pieces they come in. A body is copied once,
 * from the read buffer into an array of its own, and no length is trusted before it was compared
 * with the limit. Confined to the reader thread, but for the limit.
 */
final class FrameReader {
    /** Grows to the maximum while reads fill it, so that a connection at rest costs little. */
    private static final int BUFFER_LENGTH = 8 * 1024;

    private static final int BUFFER_LENGTH_MAX = 128 * 1024;
    private static final byte[] RESULT = "result ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUE = "value ".getBytes(StandardCharsets.US_ASCII);

    private ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_LENGTH).flip();

    /** Set by the connecting thread when the broker has said its limit, read by the reader. */
    private volatile int bodyLengthMax;

    // The reply whose line was read; body null: none.
    private byte @Nullable [] body;
    private int filled;
    private boolean isResult;
    private int status;
    private int opaque;

    /** Next byte of the line under the parser, and the CR that ends it. */
    private int cursor;

    private int lineEnd;

    FrameReader(int bodyLengthMax) {
        this.bodyLengthMax = bodyLengthMax;
    }

    void setBodyLengthMax(int value) {
        bodyLengthMax = value;
    }

    /** Reads what there is; returns as {@link ReadableByteChannel#read}. */
    int readFrom(ReadableByteChannel channel) throws IOException {
        if (isFull() && in.capacity() < BUFFER_LENGTH_MAX) {
            in = ByteBuffer.allocateDirect(2 * in.capacity()).put(in);
        } else {
            in.compact();
        }
        try {
            return channel.read(in);
        } finally {
            in.flip();
        }
    }

    /** True if the last read filled the buffer, so that more is likely to wait. */
    boolean isFull() {
        return in.limit() == in.capacity();
    }

    /**
     * The next complete reply, or null if more bytes are needed.
     *
     * @throws ProtocolException if the bytes are no reply
     */
    @Nullable Reply next() throws ProtocolException {
        if (body == null && !readLine()) {
            return null;
        }
        byte[] target = body;
        if (target == null) {
            return null;
        }
        int count = Math.min(in.remaining(), target.length - filled);
        in.get(target, filled, count);
        filled += count;
        if (filled < target.length) {
            return null;
        }
        body = null;
        return isResult
                ? new Reply.Result(status, new String(target, StandardCharsets.UTF_8), opaque)
                : new Reply.Value(ByteBuffer.wrap(target), opaque);
    }

    private boolean readLine() throws ProtocolException {
        lineEnd = indexOfLineEnd();
        if (lineEnd < 0) {
            return false;
        }
        cursor = in.position();
        isResult = startsWith(RESULT);
        if (!isResult && !startsWith(VALUE)) {
            throw malformed("neither 'result' nor 'value'");
        }
        cursor += isResult ? RESULT.length : VALUE.length;
        status = isResult ? number() : Reply.OK;
        int length = number();
        opaque = number();
        if (cursor != lineEnd + 1) {
            throw malformed("too many tokens");
        }
        if (length < 0 || length > bodyLengthMax) {
            throw malformed("a body of " + length + " bytes, allowed are 0.." + bodyLengthMax);
        }
        in.position(lineEnd + 2);
        body = new byte[length];
        filled = 0;
        return true;
    }

    private int indexOfLineEnd() throws ProtocolException {
        int end = Math.min(in.limit(), in.position() + Limits.LINE_LENGTH_MAX + 2);
        for (int i = in.position(); i < end; i++) {
            if (in.get(i) == '\n') {
                if (i == in.position() || in.get(i - 1) != '\r') {
                    throw new ProtocolException("malformed reply: a line that ends without CR");
                }
                return i - 1;
            }
        }
        if (in.remaining() > Limits.LINE_LENGTH_MAX + 1) {
            throw new ProtocolException(
                    "malformed reply: no line end in " + Limits.LINE_LENGTH_MAX + " bytes");
        }
        return -1;
    }

    private boolean startsWith(byte[] word) {
        if (lineEnd - in.position() < word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (in.get(in.position() + i) != word[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads an int32 at the cursor and moves past it and the blank (or CR) that ends it. */
    private int number() throws ProtocolException {
        int i = cursor;
        boolean negative = i < lineEnd && in.get(i) == '-';
        if (negative) {
            i++;
        }
        int first = i;
        long value = 0;
        while (i < lineEnd && in.get(i) != ' ') {
            int digit = in.get(i) - '0';
            if (digit < 0 || digit > 9) {
                throw malformed("not a number");
            }
            value = value * 10 + digit;
            if (value > Integer.MAX_VALUE + 1L) {
                throw malformed("a number too large");
            }
            i++;
        }
        value = negative ? -value : value;
        if (i == first || value > Integer.MAX_VALUE) {
            throw malformed("a number is missing or too large");
        }
        cursor = i + 1;
        return (int) value;
    }

    private ProtocolException malformed(String why) {
        byte[] line = new byte[Math.min(100, lineEnd - in.position())];
        in.get(in.position(), line);
        return new ProtocolException(
                "malformed reply: "
                        + why
                        + " in '"
                        + new String(line, StandardCharsets.ISO_8859_1)
                        + "'");
    }
}
