package org.metaq.broker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.MessageFormat;

/** A JMS text message as a client sends it. */
record TestMessage(
        String text,
        int priority,
        long expirationMs,
        @Nullable String origin,
        Map<String, Object> properties) {
    static TestMessage of(String text) {
        return new TestMessage(text, 4, 0, null, Map.of());
    }

    TestMessage priority(int newPriority) {
        return new TestMessage(text, newPriority, expirationMs, origin, properties);
    }

    TestMessage expires(long atMs) {
        return new TestMessage(text, priority, atMs, origin, properties);
    }

    TestMessage from(String newOrigin) {
        return new TestMessage(text, priority, expirationMs, newOrigin, properties);
    }

    TestMessage with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(properties);
        more.put(name, value);
        return new TestMessage(text, priority, expirationMs, origin, more);
    }

    TestMessage group(String groupId) {
        return with("JMSXGroupID", groupId);
    }

    int flag() {
        return MessageFormat.FLAG_ATTRIBUTE
                | MessageFormat.FLAG_ENVELOPE
                | (properties.containsKey("JMSXGroupID") ? MessageFormat.FLAG_GROUP : 0);
    }

    ByteBuffer body() {
        byte[] envelope =
                new Envelope(
                                Envelope.BodyType.TEXT,
                                2,
                                priority,
                                1_700_000_000_000L,
                                expirationMs,
                                1_700_000_000_000L,
                                "ID:" + text,
                                null,
                                null,
                                null,
                                null,
                                null,
                                origin,
                                properties)
                        .encode();
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(Integer.BYTES + envelope.length + payload.length);
        return body.putInt(envelope.length).put(envelope).put(payload).flip();
    }
}
