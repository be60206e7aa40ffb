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

/**
 * Headers and properties of a message in a log, without its payload. One that a classic client sent
 * has those that a JMS client sees on it. Confined to the writer thread, and valid until {@link
 * MessageHeads} reads another.
 */
final class StoredMessage implements SelectorSource {
    /** Property of a JMS message that was sent by a classic client: its attribute. */
    static final String CLASSIC_ATTRIBUTE = "metaq_attribute";

    private static final String GROUP_ID = "JMSXGroupID";
    private static final int CLASSIC_PRIORITY = 4;

    private final int flag;
    private final long messageId;
    private final ByteBuffer bytes;
    private final int attributeStart;
    private final int attributeEnd;
    private final @Nullable EnvelopeView envelope;

    /**
     * A message from its first bytes.
     *
     * @param bytes hold its header and, if it has one, its attribute
     * @param start where the header is
     */
    StoredMessage(ByteBuffer bytes, int start) {
        this.flag = bytes.getInt(start + MessageFormat.FLAG_OFFSET);
        this.messageId = bytes.getLong(start + MessageFormat.MESSAGE_ID_OFFSET);
        this.bytes = bytes;
        int body = start + MessageFormat.HEADER_LENGTH;
        if (MessageFormat.hasAttribute(flag)) {
            this.attributeStart = body + Integer.BYTES;
            this.attributeEnd = attributeStart + bytes.getInt(body);
        } else {
            this.attributeStart = body;
            this.attributeEnd = body;
        }
        this.envelope =
                MessageFormat.hasEnvelope(flag)
                        ? new EnvelopeView(bytes, attributeStart, attributeEnd)
                        : null;
    }

    /**
     * How many bytes of a message its head takes.
     *
     * @param bytes hold its header, and the four bytes behind it if it is longer
     * @param start where the header is
     */
    static int headLength(ByteBuffer bytes, int start) {
        if (!MessageFormat.hasAttribute(bytes.getInt(start + MessageFormat.FLAG_OFFSET))) {
            return MessageFormat.HEADER_LENGTH;
        }
        int body = MessageFormat.HEADER_LENGTH;
        return body + Integer.BYTES + bytes.getInt(start + body);
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

    private ByteBuffer attribute() {
        return bytes.slice(attributeStart, attributeEnd - attributeStart);
    }

    private @Nullable String classicAttribute() {
        return MessageFormat.hasAttribute(flag)
                ? StandardCharsets.UTF_8.decode(attribute()).toString()
                : null;
    }

    /** The message group; empty if it belongs to none. */
    String groupId() {
        return value(GROUP_ID) instanceof String group ? group : "";
    }

    /** All of the envelope; for a classic message, one that says what a JMS client sees on it. */
    Envelope envelope() throws ProtocolException {
        if (envelope != null) {
            return Envelope.decode(attribute());
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
