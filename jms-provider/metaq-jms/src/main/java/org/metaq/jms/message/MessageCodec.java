package org.metaq.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.ProtocolException;

/** Messages to and from the bytes that the broker keeps. Stateless. */
public final class MessageCodec {
    private static final int FLAG = MessageFormat.FLAG_ATTRIBUTE | MessageFormat.FLAG_ENVELOPE;

    private MessageCodec() {}

    /**
     * The bytes of a message as it is now; the message can be changed or sent again afterwards.
     *
     * @param origin names the sending connection, so that a consumer can leave out its own
     *     connection's messages; null: nobody
     * @throws JMSException if the destination or the reply-to is no queue or topic
     */
    public static EncodedMessage encode(MetaQMessage message, @Nullable String origin)
            throws JMSException {
        byte[] payload = message.payload();
        byte[] envelope = message.toEnvelope(origin).encode();
        BodyWriter out = new BodyWriter(Integer.BYTES + envelope.length + payload.length);
        out.bytes(envelope).raw(payload);
        boolean hasGroup = message.getStringProperty(PropertyNames.GROUP_ID) != null;
        return new EncodedMessage(
                out.toBuffer(), hasGroup ? FLAG | MessageFormat.FLAG_GROUP : FLAG);
    }

    /**
     * The message of a delivery: read-only, flagged and counted as the broker says, without
     * acknowledger. A message without envelope, which a classic client sent, becomes a bytes
     * message with its attribute as property {@code metaq_attribute}. Keeps no view of the
     * delivery's buffer.
     *
     * @param allowList classes that an object message may hold
     * @throws JMSException if the bytes are not a message
     */
    public static MetaQMessage decode(Delivery delivery, AllowList allowList) throws JMSException {
        ByteBuffer stored = delivery.message().duplicate();
        try {
            MetaQMessage message = decodeStored(stored, allowList);
            message.setJMSRedelivered(delivery.redelivered());
            message.setDeliveryCount(delivery.deliveryCount());
            message.freeze();
            return message;
        } catch (ProtocolException | IllegalArgumentException e) {
            throw failure(
                    "message "
                            + delivery.sequence()
                            + " of partition "
                            + delivery.partition()
                            + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    private static MetaQMessage decodeStored(ByteBuffer stored, AllowList allowList)
            throws ProtocolException, JMSException {
        int start = stored.position();
        if (stored.remaining() < MessageFormat.HEADER_LENGTH) {
            throw new ProtocolException("only " + stored.remaining() + " bytes");
        }
        long storedId = stored.getLong(start + MessageFormat.MESSAGE_ID_OFFSET);
        int flag = stored.getInt(start + MessageFormat.FLAG_OFFSET);
        ByteBuffer body = stored.position(start + MessageFormat.HEADER_LENGTH).slice();
        if (!MessageFormat.hasEnvelope(flag)) {
            return decodeClassic(storedId, flag, body);
        }
        Envelope.checkHead(body);
        int envelopeLength = body.getInt();
        Envelope envelope = Envelope.decode(body.slice(body.position(), envelopeLength));
        body.position(body.position() + envelopeLength);
        MetaQMessage message = messageFor(envelope.bodyType(), allowList);
        message.setEnvelope(envelope);
        message.setPayload(envelope.bodyType(), rest(body));
        return message;
    }

    private static MetaQMessage decodeClassic(long storedId, int flag, ByteBuffer body)
            throws ProtocolException, JMSException {
        String attribute = null;
        if ((flag & MessageFormat.FLAG_ATTRIBUTE) != 0) {
            int length = body.remaining() < Integer.BYTES ? -1 : body.getInt();
            if (length < 0 || length > body.remaining()) {
                throw new ProtocolException("an attribute of " + length + " bytes");
            }
            byte[] bytes = new byte[length];
            body.get(bytes);
            attribute = new String(bytes, StandardCharsets.UTF_8);
        }
        MetaQMessage message = new MetaQBytesMessage();
        message.setClassic(storedId, attribute);
        message.setPayload(Envelope.BodyType.BYTES, rest(body));
        return message;
    }

    private static MetaQMessage messageFor(Envelope.BodyType bodyType, AllowList allowList) {
        return switch (bodyType) {
            case NONE -> new MetaQMessage();
            case BYTES -> new MetaQBytesMessage();
            case TEXT, NULL_TEXT -> new MetaQTextMessage();
            case MAP -> new MetaQMapMessage();
            case STREAM -> new MetaQStreamMessage();
            case OBJECT -> new MetaQObjectMessage(allowList);
        };
    }

    private static byte[] rest(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return bytes;
    }

    /**
     * A message of ours with another provider's body, properties, correlation id, type and
     * reply-to; one of ours is given back as it is (Jakarta Messaging 3.1 §3.12).
     *
     * @throws JMSException if the foreign message cannot be read
     */
    public static MetaQMessage convert(Message message) throws JMSException {
        return message instanceof MetaQMessage ours ? ours : ForeignMessages.copy(message);
    }

    /**
     * Sets on a foreign message the headers that sending sets (Jakarta Messaging 3.1 §3.4.12):
     * destination, delivery mode, expiration, priority, message id, timestamp, delivery time.
     */
    public static void copySendHeaders(MetaQMessage sent, Message foreign) throws JMSException {
        if (sent != foreign) {
            ForeignMessages.copySendHeaders(sent, foreign);
        }
    }

    /** An exception with its cause. */
    static JMSException failure(String text, Exception cause) {
        JMSException failure = new JMSException(text);
        failure.initCause(cause);
        failure.setLinkedException(cause);
        return failure;
    }
}
