package org.metaq.broker.state;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.MessageFormat;
import org.metaq.store.log.MessageBytes;
import org.metaq.store.log.MessageLog;

/**
 * A stored message on its way to another log, as it is or with another envelope. It is read piece
 * by piece, so that memory is bounded whatever its length. Deterministic: gives the same bytes
 * whenever the source is the same. Confined to the writer thread.
 */
public final class MessageCopy implements MessageLog.BodyPieces {
    private static final int PIECE_LENGTH_MAX = 128 * 1024;
    private static final int HEAD_LENGTH =
            MessageFormat.HEADER_LENGTH + Integer.BYTES + Envelope.HEAD_LENGTH;

    private final MessageBytes source;

    /** What the source begins with: all of it if it is short. */
    private final ByteBuffer start;

    /** What stands in the place of the source's attribute, its length included; may be empty. */
    private final ByteBuffer newAttribute;

    /** Where in the source the rest of the body begins. */
    private final int restStart;

    private final ByteBuffer header;

    private MessageCopy(MessageBytes source) {
        this.source = source;
        this.start = start(source);
        this.newAttribute = ByteBuffer.allocate(0);
        this.restStart = MessageFormat.HEADER_LENGTH;
        this.header = start.slice(0, MessageFormat.HEADER_LENGTH);
    }

    private MessageCopy(MessageBytes source, byte[] envelope) {
        this.source = source;
        this.start = start(source);
        this.newAttribute = ByteBuffer.allocate(Integer.BYTES + envelope.length);
        newAttribute.putInt(envelope.length).put(envelope).flip();
        int flag = start.getInt(MessageFormat.FLAG_OFFSET);
        this.restStart = MessageFormat.HEADER_LENGTH + attributeLength(flag);
        int bodyLength = newAttribute.remaining() + source.length() - restStart;
        this.header = ByteBuffer.allocate(MessageFormat.HEADER_LENGTH);
        MessageFormat.putHeader(
                header,
                bodyLength,
                checksum(),
                start.getLong(MessageFormat.MESSAGE_ID_OFFSET),
                flag | MessageFormat.FLAG_ATTRIBUTE | MessageFormat.FLAG_ENVELOPE);
        header.flip();
    }

    /** The message as it is. The caller keeps, and releases, the bytes. */
    public static MessageCopy of(MessageBytes source) {
        return new MessageCopy(source);
    }

    /**
     * The message with another envelope in the place of its attribute, whatever that was; id and
     * payload stay.
     */
    public static MessageCopy withEnvelope(MessageBytes source, byte[] envelope) {
        return new MessageCopy(source, envelope);
    }

    private static ByteBuffer start(MessageBytes source) {
        ByteBuffer start = ByteBuffer.allocate(Math.min(source.length(), PIECE_LENGTH_MAX));
        source.copyTo(0, start);
        return start.flip();
    }

    private int attributeLength(int flag) {
        if (!MessageFormat.hasAttribute(flag)) {
            return 0;
        }
        int length =
                MessageFormat.attributeLength(
                        start.slice(
                                MessageFormat.HEADER_LENGTH,
                                start.remaining() - MessageFormat.HEADER_LENGTH),
                        source.length() - MessageFormat.HEADER_LENGTH);
        return length < 0 ? 0 : Integer.BYTES + length;
    }

    private int checksum() {
        CRC32 crc = new CRC32();
        forEach(crc::update);
        return (int) crc.getValue() & Integer.MAX_VALUE;
    }

    /** The header that it gets; a view. */
    public ByteBuffer header() {
        return header.duplicate();
    }

    /** When the source expires by its envelope, ms since 1970; 0: never. */
    public long expirationMs() {
        int flag = start.getInt(MessageFormat.FLAG_OFFSET);
        if (!MessageFormat.hasEnvelope(flag) || start.remaining() < HEAD_LENGTH) {
            return 0;
        }
        return Envelope.expirationOf(
                start.slice(MessageFormat.HEADER_LENGTH, Integer.BYTES + Envelope.HEAD_LENGTH));
    }

    @Override
    public void forEach(Consumer<ByteBuffer> consumer) {
        if (newAttribute.hasRemaining()) {
            consumer.accept(newAttribute.duplicate());
        }
        int at = restStart;
        if (at < start.remaining()) {
            consumer.accept(start.slice(at, start.remaining() - at));
            at = start.remaining();
        }
        if (at < source.length()) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE_LENGTH_MAX);
            while (at < source.length()) {
                source.copyTo(at, piece.clear());
                at += piece.position();
                consumer.accept(piece.flip());
            }
        }
    }
}
