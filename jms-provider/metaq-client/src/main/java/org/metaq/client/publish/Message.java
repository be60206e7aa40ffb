package org.metaq.client.publish;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. The payload is not copied: it must not change until the send has ended.
 *
 * @param topic physical name, see {@code docs/protocol.md} §2
 * @param payload up to the broker's {@code maxMessageSize}, may be empty
 * @param attribute a text that travels beside the payload, or null for none
 * @param key chooses the partition ({@link PartitionSelector#keyHash}); it is not sent; null: none
 */
public record Message(
        String topic, byte[] payload, @Nullable String attribute, @Nullable String key) {
    /**
     * Checks the topic.
     *
     * @throws IllegalArgumentException if it is empty, or has a blank or a line end
     */
    public Message {
        if (topic.isEmpty() || topic.chars().anyMatch(c -> c <= ' ')) {
            throw new IllegalArgumentException("no topic: '" + topic + "'");
        }
    }

    /** Without attribute and key. */
    public static Message of(String topic, byte[] payload) {
        return new Message(topic, payload, null, null);
    }

    /** The same with an attribute. */
    public Message withAttribute(String newAttribute) {
        return new Message(topic, payload, newAttribute, key);
    }

    /** The same with a key. */
    public Message withKey(String newKey) {
        return new Message(topic, payload, attribute, newKey);
    }

    /** As it is stored: {@code [int32 attributeLength, attribute] payload}. */
    ByteBuffer body() {
        if (attribute == null) {
            return ByteBuffer.wrap(payload);
        }
        byte[] text = attribute.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Math.addExact(Integer.BYTES + text.length, payload.length))
                .putInt(text.length)
                .put(text)
                .put(payload)
                .flip();
    }
}
