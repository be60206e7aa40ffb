package org.metaq.broker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.EnvelopeView;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.ProtocolException;
import org.metaq.selector.SelectorSource;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.MessageLog;

/**
 * Headers and properties of a message in a log, read without its payload. One that a classic client
 * sent has those that a JMS client sees on it.
 */
final class StoredMessage implements SelectorSource {
    /** Property of a JMS message that was sent by a classic client: its attribute. */
    static final String CLASSIC_ATTRIBUTE = "metaq_attribute";

    private static final String GROUP_ID = "JMSXGroupID";
    private static final int CLASSIC_PRIORITY = 4;

    /** What is read at first: most attributes end there. */
    private static final int START_LENGTH = 1024;

    private final int flag;
    private final long messageId;
    private final ByteBuffer attribute;
    private final @Nullable EnvelopeView envelope;

    private StoredMessage(int flag, long messageId, ByteBuffer attribute) {
        this.flag = flag;
        this.messageId = messageId;
        this.attribute = attribute;
        this.envelope = MessageFormat.hasEnvelope(flag) ? new EnvelopeView(attribute) : null;
    }

    /** Reads the head of a published message. */
    static StoredMessage read(MessageLog log, long sequence) {
        MessageBytes bytes = log.bytes(sequence);
        try {
            ByteBuffer start = ByteBuffer.allocate(Math.min(bytes.length(), START_LENGTH));
            bytes.copyTo(0, start);
            start.flip();
            int flag = start.getInt(MessageFormat.FLAG_OFFSET);
            long messageId = start.getLong(MessageFormat.MESSAGE_ID_OFFSET);
            return new StoredMessage(flag, messageId, attribute(bytes, start, flag));
        } finally {
            bytes.release();
        }
    }

    private static ByteBuffer attribute(MessageBytes bytes, ByteBuffer start, int flag) {
        if (!MessageFormat.hasAttribute(flag)) {
            return ByteBuffer.allocate(0);
        }
        int from = MessageFormat.HEADER_LENGTH + Integer.BYTES;
        int length = start.getInt(MessageFormat.HEADER_LENGTH);
        if (from + length <= start.limit()) {
            return start.slice(from, length);
        }
        ByteBuffer attribute = ByteBuffer.allocate(length);
        bytes.copyTo(from, attribute);
        return attribute.flip();
    }

    @Override
    public @Nullable Object value(String identifier) {
        if (envelope != null) {
            return envelope.value(identifier);
        }
        return switch (identifier) {
            case "JMSDeliveryMode" -> "PERSISTENT";
            case "JMSPriority" -> CLASSIC_PRIORITY;
            case "JMSMessageID" -> classicMessageId();
            case "JMSTimestamp" -> 0L;
            case CLASSIC_ATTRIBUTE -> classicAttribute();
            default -> null;
        };
    }

    private String classicMessageId() {
        return "ID:metaq-" + messageId;
    }

    private @Nullable String classicAttribute() {
        return MessageFormat.hasAttribute(flag)
                ? StandardCharsets.UTF_8.decode(attribute.duplicate()).toString()
                : null;
    }

    /** The message group; empty if it belongs to none. */
    String groupId() {
        return value(GROUP_ID) instanceof String group ? group : "";
    }

    /** All of the envelope; for a classic message, one that says what a JMS client sees on it. */
    Envelope envelope() throws ProtocolException {
        if (envelope != null) {
            return Envelope.decode(attribute.duplicate());
        }
        String classic = classicAttribute();
        return new Envelope(
                Envelope.BodyType.BYTES,
                2,
                CLASSIC_PRIORITY,
                0,
                0,
                0,
                classicMessageId(),
                null,
                null,
                null,
                null,
                null,
                null,
                classic == null ? Map.of() : Map.of(CLASSIC_ATTRIBUTE, classic));
    }
}
