package org.metaq.jms.message;

import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Envelope.BodyType;

/**
 * A text, sent as UTF-8; a surrogate without its pair becomes {@code ?}. A received text is decoded
 * when first read.
 */
public final class MetaQTextMessage extends MetaQMessage implements TextMessage {
    private @Nullable String text;
    // Received and not yet decoded; text is null as long as this is not.
    private byte @Nullable [] undecoded;

    /** A message whose text is null. */
    public MetaQTextMessage() {}

    /** A message with a text. */
    public MetaQTextMessage(@Nullable String text) {
        this.text = text;
    }

    @Override
    public void setText(@Nullable String string) throws MessageNotWriteableException {
        checkBodyWriteable();
        text = string;
        undecoded = null;
    }

    @Override
    public @Nullable String getText() {
        if (undecoded != null) {
            text = new String(undecoded, StandardCharsets.UTF_8);
            undecoded = null;
        }
        return text;
    }

    @Override
    BodyType bodyType() {
        return text == null && undecoded == null ? BodyType.NULL_TEXT : BodyType.TEXT;
    }

    @Override
    byte[] payload() {
        if (undecoded != null) {
            return undecoded;
        }
        return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    void setPayload(BodyType bodyType, byte[] payload) {
        text = null;
        undecoded = bodyType == BodyType.NULL_TEXT ? null : payload;
    }

    @Override
    void dropBody() {
        text = null;
        undecoded = null;
    }

    @Override
    @Nullable Object body(Class<?> wanted) {
        return getText();
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class c) {
        return bodyType() == BodyType.NULL_TEXT || ((Class<?>) c).isAssignableFrom(String.class);
    }
}
