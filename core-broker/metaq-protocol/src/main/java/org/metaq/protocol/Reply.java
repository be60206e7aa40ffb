package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What the broker answers; matched to its command by the opaque number alone. */
public sealed interface Reply {
    /** Status of success. */
    int OK = 200;

    /** The opaque number of the command. */
    int opaque();

    /**
     * {@code result <status> <length> <opaque>} and a UTF-8 text.
     *
     * @param status {@link #OK}, MetaQ's codes, or an {@link ErrorCode#status()}
     */
    record Result(int status, String text, int opaque) implements Reply {
        /** True if the command was done. */
        public boolean isOk() {
            return status == OK;
        }

        /** The error, or null if it was done or the text names none. */
        public @Nullable ErrorCode error() {
            return isOk() ? null : ErrorCode.ofReplyText(text);
        }
    }

    /** {@code value <length> <opaque>} and data. */
    record Value(ByteBuffer body, int opaque) implements Reply {}

    /** Bytes of a result on the wire. */
    static byte[] encodeResult(int status, String text, int opaque) {
        byte[] message = text.getBytes(StandardCharsets.UTF_8);
        byte[] line =
                ("result " + status + ' ' + message.length + ' ' + opaque + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        byte[] frame = new byte[line.length + message.length];
        System.arraycopy(line, 0, frame, 0, line.length);
        System.arraycopy(message, 0, frame, line.length, message.length);
        return frame;
    }

    /** Line of a data reply; the body follows it. */
    static byte[] encodeValueLine(int bodyLength, int opaque) {
        return ("value " + bodyLength + ' ' + opaque + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}
