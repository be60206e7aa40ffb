package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metaq.common.DestinationKind;

/**
 * Headers and properties of a JMS message: the attribute of the stored message.
 *
 * <pre>
 * off len field                     (all integers big-endian)
 *   0   1 version         1
 *   1   1 bodyType        {@link BodyType#code()}
 *   2   1 deliveryMode    1 NON_PERSISTENT, 2 PERSISTENT
 *   3   1 priority        0..9
 *   4   8 timestamp       ms since 1970, 0: none
 *  12   8 expiration      ms since 1970, 0: never
 *  20   8 deliveryTime    ms since 1970; the message is delayed if it is above the timestamp
 *  28   . fields          each: int8 tag, value; see the constants
 * </pre>
 *
 * <p>The broker reads the fixed head ({@link #expirationOf}, {@link #priorityOf}), and for
 * selectors single fields by an {@link EnvelopeView}; the rest is for clients.
 */
public record Envelope(
        BodyType bodyType,
        int deliveryMode,
        int priority,
        long timestampMs,
        long expirationMs,
        long deliveryTimeMs,
        @Nullable String messageId,
        @Nullable String correlationId,
        byte @Nullable [] correlationIdBytes,
        @Nullable String type,
        @Nullable Address destination,
        @Nullable Address replyTo,
        @Nullable String origin,
        Map<String, Object> properties) {

    /** Where the fields start. */
    public static final int HEAD_LENGTH = 28;

    private static final int VERSION = 1;
    private static final int BODY_TYPE_OFFSET = 1;
    static final int DELIVERY_MODE_OFFSET = 2;
    static final int PRIORITY_OFFSET = 3;
    static final int TIMESTAMP_OFFSET = 4;
    private static final int EXPIRATION_OFFSET = TIMESTAMP_OFFSET + Long.BYTES;

    private static final int DELIVERY_TIME_OFFSET = EXPIRATION_OFFSET + Long.BYTES;

    static final int TAG_MESSAGE_ID = 1;
    static final int TAG_CORRELATION_ID = 2;
    static final int TAG_CORRELATION_ID_BYTES = 3;
    static final int TAG_TYPE = 4;
    static final int TAG_DESTINATION = 5;
    static final int TAG_REPLY_TO = 6;
    private static final int TAG_ORIGIN = 7;
    static final int TAG_PROPERTIES = 8;

    /** What the payload holds. */
    public enum BodyType {
        /** Nothing. */
        NONE(0),
        /** Bytes as they are. */
        BYTES(1),
        /** UTF-8; the envelope of a null text says {@link #NULL_TEXT}. */
        TEXT(2),
        /** {@link Values#writeMap}. */
        MAP(3),
        /** {@link Values#write}, one after the other. */
        STREAM(4),
        /** Java serialization; empty for null. */
        OBJECT(5),
        /** A text message whose text is null. */
        NULL_TEXT(6);

        private final int code;

        BodyType(int code) {
            this.code = code;
        }

        /** Stable number. */
        public int code() {
            return code;
        }

        static BodyType ofCode(int code) throws ProtocolException {
            for (BodyType type : values()) {
                if (type.code == code) {
                    return type;
                }
            }
            throw new ProtocolException("no body type has the code " + code);
        }
    }

    /** A destination as an envelope names it. */
    public record Address(DestinationKind kind, String name) {}

    /** The same that never expires, with other properties. */
    public Envelope withoutExpiration(Map<String, Object> newProperties) {
        return new Envelope(
                bodyType,
                deliveryMode,
                priority,
                timestampMs,
                0,
                deliveryTimeMs,
                messageId,
                correlationId,
                correlationIdBytes,
                type,
                destination,
                replyTo,
                origin,
                newProperties);
    }

    /** The envelope's bytes. */
    public byte[] encode() {
        BodyWriter out = new BodyWriter(192);
        out.u8(VERSION).u8(bodyType.code()).u8(deliveryMode).u8(priority);
        out.i64(timestampMs).i64(expirationMs).i64(deliveryTimeMs);
        string(out, TAG_MESSAGE_ID, messageId);
        string(out, TAG_CORRELATION_ID, correlationId);
        if (correlationIdBytes != null) {
            out.u8(TAG_CORRELATION_ID_BYTES).bytes(correlationIdBytes);
        }
        string(out, TAG_TYPE, type);
        address(out, TAG_DESTINATION, destination);
        address(out, TAG_REPLY_TO, replyTo);
        string(out, TAG_ORIGIN, origin);
        if (!properties.isEmpty()) {
            out.u8(TAG_PROPERTIES);
            Values.writeMap(out, properties);
        }
        return out.toBytes();
    }

    private static void string(BodyWriter out, int tag, @Nullable String value) {
        if (value != null) {
            out.u8(tag).string(value);
        }
    }

    private static void address(BodyWriter out, int tag, @Nullable Address value) {
        if (value != null) {
            out.u8(tag).u8(value.kind().code()).string(value.name());
        }
    }

    /**
     * Reads an envelope.
     *
     * @throws ProtocolException if the bytes are not one
     */
    public static Envelope decode(ByteBuffer attribute) throws ProtocolException {
        try {
            return decodeChecked(new BodyReader(attribute));
        } catch (IllegalArgumentException e) {
            throw new ProtocolException("bad envelope: " + e.getMessage(), e);
        }
    }

    private static Envelope decodeChecked(BodyReader in) throws ProtocolException {
        int version = in.u8();
        if (version != VERSION) {
            throw new ProtocolException("envelope version " + version + "; this reads " + VERSION);
        }
        BodyType bodyType = BodyType.ofCode(in.u8());
        int deliveryMode = in.u8();
        int priority = in.u8();
        checkRanges(deliveryMode, priority);
        long timestampMs = in.i64();
        long expirationMs = in.i64();
        long deliveryTimeMs = in.i64();
        String messageId = null;
        String correlationId = null;
        byte[] correlationIdBytes = null;
        String type = null;
        Address destination = null;
        Address replyTo = null;
        String origin = null;
        Map<String, Object> properties = new LinkedHashMap<>();
        while (in.remaining() > 0) {
            int tag = in.u8();
            switch (tag) {
                case TAG_MESSAGE_ID -> messageId = in.string();
                case TAG_CORRELATION_ID -> correlationId = in.string();
                case TAG_CORRELATION_ID_BYTES -> correlationIdBytes = in.bytes();
                case TAG_TYPE -> type = in.string();
                case TAG_DESTINATION -> destination = readAddress(in);
                case TAG_REPLY_TO -> replyTo = readAddress(in);
                case TAG_ORIGIN -> origin = in.string();
                case TAG_PROPERTIES ->
                        Values.readMap(in)
                                .forEach(
                                        (k, v) -> {
                                            if (v != null) {
                                                properties.put(k, v);
                                            }
                                        });
                default -> throw new ProtocolException("unknown envelope field " + tag);
            }
        }
        return new Envelope(
                bodyType,
                deliveryMode,
                priority,
                timestampMs,
                expirationMs,
                deliveryTimeMs,
                messageId,
                correlationId,
                correlationIdBytes,
                type,
                destination,
                replyTo,
                origin,
                properties);
    }

    private static Address readAddress(BodyReader in) throws ProtocolException {
        return new Address(DestinationKind.ofCode(in.u8()), in.string());
    }

    /**
     * Checks that a message body starts with an attribute that has an envelope's head.
     *
     * @param body body of a message whose flag says that it has an envelope
     * @throws ProtocolException if not
     */
    public static void checkHead(ByteBuffer body) throws ProtocolException {
        checkHead(body, body.remaining());
    }

    /**
     * As {@link #checkHead(ByteBuffer)}, of a body that is not all there.
     *
     * @param body its first {@code 4 + HEAD_LENGTH} bytes at least, if it is so long
     * @param bodyLength its whole length
     * @throws ProtocolException if it does not start with an attribute that has an envelope's head
     */
    public static void checkHead(ByteBuffer body, int bodyLength) throws ProtocolException {
        int start = body.position();
        if (bodyLength < Integer.BYTES + HEAD_LENGTH) {
            throw new ProtocolException("no room for an envelope in " + bodyLength + " bytes");
        }
        int length = body.getInt(start);
        if (length < HEAD_LENGTH || length > bodyLength - Integer.BYTES) {
            throw new ProtocolException("an envelope of " + length + " bytes");
        }
        int version = body.get(start + Integer.BYTES);
        BodyType.ofCode(body.get(start + Integer.BYTES + BODY_TYPE_OFFSET));
        if (version != VERSION) {
            throw new ProtocolException("envelope version " + version + "; this reads " + VERSION);
        }
        checkRanges(
                body.get(start + Integer.BYTES + DELIVERY_MODE_OFFSET),
                body.get(start + Integer.BYTES + PRIORITY_OFFSET));
    }

    private static void checkRanges(int deliveryMode, int priority) throws ProtocolException {
        if (deliveryMode < 1 || deliveryMode > 2) {
            throw new ProtocolException("an envelope with the delivery mode " + deliveryMode);
        }
        if (priority < 0 || priority > 9) {
            throw new ProtocolException("an envelope with the priority " + priority);
        }
    }

    /** Expiration from a body that passed {@link #checkHead}; ms since 1970, 0: never. */
    public static long expirationOf(ByteBuffer body) {
        return body.getLong(body.position() + Integer.BYTES + EXPIRATION_OFFSET);
    }

    /** Priority from a body that passed {@link #checkHead}; 0..9. */
    public static int priorityOf(ByteBuffer body) {
        return body.get(body.position() + Integer.BYTES + PRIORITY_OFFSET);
    }

    /** Timestamp from a body that passed {@link #checkHead}; ms since 1970. */
    public static long timestampOf(ByteBuffer body) {
        return body.getLong(body.position() + Integer.BYTES + TIMESTAMP_OFFSET);
    }

    /** Delivery time from a body that passed {@link #checkHead}; ms since 1970. */
    public static long deliveryTimeOf(ByteBuffer body) {
        return body.getLong(body.position() + Integer.BYTES + DELIVERY_TIME_OFFSET);
    }
}
