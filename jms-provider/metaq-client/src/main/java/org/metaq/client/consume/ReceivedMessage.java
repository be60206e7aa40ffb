package org.metaq.client.consume;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.metaq.client.cluster.Partition;
import org.metaq.protocol.MessageFormat;

/**
 * A message as it is stored.
 *
 * @param topic physical name
 * @param partition where it is
 * @param offset of its first byte in the partition
 * @param nextOffset of the first byte after it, where the next message is
 * @param messageId unique for good
 * @param flag as it was sent, see {@link MessageFormat}
 * @param attribute null if it has none, or if it is a JMS envelope
 * @param payload without the attribute; of a JMS message the body as {@code docs/protocol.md} §8
 *     says; not to be changed
 */
public record ReceivedMessage(
        String topic,
        Partition partition,
        long offset,
        long nextOffset,
        long messageId,
        int flag,
        @Nullable String attribute,
        byte[] payload) {

    /** True if a JMS client sent it. */
    public boolean isJms() {
        return MessageFormat.hasEnvelope(flag);
    }

    /** All but the content of the payload. */
    @Override
    public String toString() {
        return topic
                + '/'
                + partition
                + '@'
                + offset
                + " (id "
                + messageId
                + ", "
                + payload.length
                + " bytes)";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReceivedMessage message
                && messageId == message.messageId
                && offset == message.offset
                && partition.equals(message.partition)
                && topic.equals(message.topic)
                && Arrays.equals(payload, message.payload);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(messageId);
    }
}
