package org.metaq.client.consume;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.metaq.client.cluster.TopicPartition;
import org.metaq.common.Checksums;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;

/**
 * Cuts the bytes of a {@code get} reply into messages. A message that the reply cuts short ends
 * them: it comes whole with the next get.
 */
final class MessageDecoder {
    private MessageDecoder() {}

    /**
     * The messages from an offset on.
     *
     * @param lengthMax longest body that the broker has, bytes
     * @throws ClientException INTERNAL if there are none before bytes that are no message: damage,
     *     or an offset at which no message starts
     */
    static List<ReceivedMessage> decode(
            TopicPartition from, long offset, ByteBuffer bytes, int lengthMax)
            throws ClientException {
        List<ReceivedMessage> messages = new ArrayList<>();
        ByteBuffer in = bytes.duplicate();
        int start = in.position();
        while (in.remaining() >= MessageFormat.HEADER_LENGTH) {
            int at = in.position();
            int length = in.getInt(at + MessageFormat.BODY_LENGTH_OFFSET);
            boolean isLength = length >= 0 && length <= lengthMax;
            if (isLength && in.remaining() - MessageFormat.HEADER_LENGTH < length) {
                break;
            }
            ReceivedMessage message =
                    isLength ? message(from, offset + at - start, in, length) : null;
            if (message == null) {
                if (messages.isEmpty()) {
                    throw ClientException.of(
                            ErrorCode.INTERNAL,
                            "no message at offset "
                                    + (offset + at - start)
                                    + " of "
                                    + from
                                    + ": length "
                                    + length
                                    + ", or checksum or attribute wrong");
                }
                break;
            }
            messages.add(message);
            in.position(at + MessageFormat.HEADER_LENGTH + length);
        }
        return messages;
    }

    /** Null if it is no message. */
    private static @Nullable ReceivedMessage message(
            TopicPartition from, long offset, ByteBuffer in, int length) {
        int at = in.position();
        ByteBuffer body = in.slice(at + MessageFormat.HEADER_LENGTH, length);
        int checksum = in.getInt(at + MessageFormat.CHECKSUM_OFFSET);
        if (Checksums.messageChecksum(body) != checksum) {
            return null;
        }
        int flag = in.getInt(at + MessageFormat.FLAG_OFFSET);
        String attribute = null;
        if ((flag & MessageFormat.FLAG_ATTRIBUTE) != 0) {
            int attributeLength = length < Integer.BYTES ? -1 : body.getInt();
            if (attributeLength < 0 || attributeLength > body.remaining()) {
                return null;
            }
            if (!MessageFormat.hasEnvelope(flag)) {
                attribute =
                        StandardCharsets.UTF_8
                                .decode(body.slice(Integer.BYTES, attributeLength))
                                .toString();
            }
            body.position(Integer.BYTES + attributeLength);
        }
        byte[] payload = new byte[body.remaining()];
        body.get(payload);
        return new ReceivedMessage(
                from.topic(),
                from.partition(),
                offset,
                offset + MessageFormat.HEADER_LENGTH + length,
                in.getLong(at + MessageFormat.MESSAGE_ID_OFFSET),
                flag,
                attribute,
                payload);
    }
}
