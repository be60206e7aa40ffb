package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks up single headers and properties in an encoded {@link Envelope}, as message selectors need
 * them: without decoding the rest. Confined to its user; the bytes must not change meanwhile.
 *
 * <p>The bytes are what a client sent, and nobody may have checked more than their head. What
 * cannot be read is absent, as is what comes behind it.
 */
public final class EnvelopeView {
    /** So many look-ups of properties read the bytes; after them a map is cheaper. */
    private static final int SCANS_MAX = 8;

    private final ByteBuffer bytes;
    private final int from;
    private final int to;
    private int scans;
    private @Nullable Map<String, @Nullable Object> properties;

    /**
     * A view of an envelope.
     *
     * @param attribute the envelope, from position to limit; both stay
     */
    public EnvelopeView(ByteBuffer attribute) {
        this(attribute, attribute.position(), attribute.limit());
    }

    /** A view of an envelope from one index of a big-endian buffer to below another. */
    public EnvelopeView(ByteBuffer bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    /**
     * A header or a property. Headers are {@code JMSDeliveryMode} ({@code "PERSISTENT"} or {@code
     * "NON_PERSISTENT"}), {@code JMSPriority} (Integer), {@code JMSTimestamp} (Long, ms since 1970,
     * 0 for none), {@code JMSMessageID}, {@code JMSCorrelationID} and {@code JMSType} (String).
     *
     * @return null if it is absent; of a property that stands there twice, the first
     */
    public @Nullable Object value(String identifier) {
        try {
            return switch (identifier) {
                case "JMSDeliveryMode" -> deliveryMode();
                case "JMSPriority" -> priority();
                case "JMSTimestamp" -> timestamp();
                case "JMSMessageID" -> header(Envelope.TAG_MESSAGE_ID);
                case "JMSCorrelationID" -> correlationId();
                case "JMSType" -> header(Envelope.TAG_TYPE);
                default -> property(identifier);
            };
        } catch (ProtocolException e) {
            // As the class comment says: the selector sees it as absent.
            return null;
        }
    }

    private BodyReader head(int offset) throws ProtocolException {
        BodyReader in = new BodyReader(bytes, from, to);
        in.skip(offset);
        return in;
    }

    private String deliveryMode() throws ProtocolException {
        return head(Envelope.DELIVERY_MODE_OFFSET).u8() == 1 ? "NON_PERSISTENT" : "PERSISTENT";
    }

    private Integer priority() throws ProtocolException {
        return head(Envelope.PRIORITY_OFFSET).u8();
    }

    private Long timestamp() throws ProtocolException {
        return head(Envelope.TIMESTAMP_OFFSET).i64();
    }

    private @Nullable String header(int tag) throws ProtocolException {
        BodyReader in = field(tag);
        return in == null ? null : in.string();
    }

    /** As the message's own getter: one that was set as bytes is read as UTF-8. */
    private @Nullable String correlationId() throws ProtocolException {
        String bytes = header(Envelope.TAG_CORRELATION_ID_BYTES);
        return bytes == null ? header(Envelope.TAG_CORRELATION_ID) : bytes;
    }

    private @Nullable Object property(String name) throws ProtocolException {
        if (properties == null && ++scans > SCANS_MAX) {
            properties = readAll();
        }
        if (properties != null) {
            return properties.get(name);
        }
        BodyReader in = field(Envelope.TAG_PROPERTIES);
        if (in == null) {
            return null;
        }
        for (int left = in.count(Values.ENTRY_LENGTH_MIN); left > 0; left--) {
            if (in.nextStringIs(name)) {
                return Values.read(in);
            }
            Values.skip(in);
        }
        return null;
    }

    private Map<String, @Nullable Object> readAll() {
        Map<String, @Nullable Object> all = new HashMap<>();
        try {
            BodyReader in = field(Envelope.TAG_PROPERTIES);
            int count = in == null ? 0 : in.count(Values.ENTRY_LENGTH_MIN);
            for (int i = 0; in != null && i < count; i++) {
                String name = in.string();
                Object value = Values.read(in);
                all.putIfAbsent(name, value);
            }
        } catch (ProtocolException e) {
            // What came before it is known, as when it is looked up alone.
            return all;
        }
        return all;
    }

    /** What follows the tag of a field; null if there is no such field. */
    private @Nullable BodyReader field(int wanted) throws ProtocolException {
        BodyReader in = head(Envelope.HEAD_LENGTH);
        while (in.remaining() > 0) {
            int tag = in.u8();
            if (tag == wanted) {
                return in;
            }
            switch (tag) {
                case Envelope.TAG_DESTINATION, Envelope.TAG_REPLY_TO -> {
                    in.skip(1);
                    in.skip(in.i32());
                }
                case Envelope.TAG_PROPERTIES -> skipProperties(in);
                default -> in.skip(in.i32());
            }
        }
        return null;
    }

    private static void skipProperties(BodyReader in) throws ProtocolException {
        for (int left = in.count(Values.ENTRY_LENGTH_MIN); left > 0; left--) {
            in.skip(in.i32());
            Values.skip(in);
        }
    }
}
