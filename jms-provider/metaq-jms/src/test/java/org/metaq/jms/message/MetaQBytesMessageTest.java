package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetaQBytesMessageTest {
    private final MetaQBytesMessage message = new MetaQBytesMessage();

    @Test
    void shouldReadEveryTypeAsItWasWritten() throws JMSException {
        message.writeBoolean(true);
        message.writeByte((byte) -1);
        message.writeByte((byte) -1);
        message.writeShort((short) -2);
        message.writeShort((short) -2);
        message.writeChar('€');
        message.writeInt(Integer.MIN_VALUE);
        message.writeLong(Long.MIN_VALUE);
        message.writeFloat(-1.5f);
        message.writeDouble(Double.MIN_VALUE);
        message.writeUTF("a\0é€\uD83D\uDE00");
        message.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
        message.reset();
        assertThat(message.readBoolean()).isTrue();
        assertThat(message.readByte()).isEqualTo((byte) -1);
        assertThat(message.readUnsignedByte()).isEqualTo(255);
        assertThat(message.readShort()).isEqualTo((short) -2);
        assertThat(message.readUnsignedShort()).isEqualTo(65_534);
        assertThat(message.readChar()).isEqualTo('€');
        assertThat(message.readInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(message.readLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(message.readFloat()).isEqualTo(-1.5f);
        assertThat(message.readDouble()).isEqualTo(Double.MIN_VALUE);
        assertThat(message.readUTF()).isEqualTo("a\0é€\uD83D\uDE00");
        byte[] buffer = new byte[5];
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        assertThat(buffer).containsExactly(2, 3, 0, 0, 0);
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
    }

    @Test
    void shouldWriteObjectsByTheirType() throws JMSException {
        for (Object value :
                List.of(true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d, "text", new byte[] {9})) {
            message.writeObject(value);
        }
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8 + 6 + 1);
        message.clearBody();
        assertThatThrownBy(() -> message.writeObject(List.of()))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.writeObject(null))
                .isInstanceOf(NullPointerException.class);
        message.reset();
        assertThat(message.getBodyLength()).isZero();
    }

    @Test
    void shouldBeWriteOnlyThenReadOnlyThenWriteOnlyAgain() throws JMSException {
        message.writeInt(1);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::readUTF).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::getBodyLength).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1]))
                .isInstanceOf(MessageNotReadableException.class);
        message.reset();
        assertThatThrownBy(() -> message.writeInt(1))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> message.writeUTF("x"))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> message.writeObject(List.of()))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThat(message.readInt()).isEqualTo(1);
        message.clearBody();
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        message.writeByte((byte) 2);
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(1);
    }

    @Test
    void shouldSignalTheEndAndKeepThePositionWhenTooLittleIsLeft() throws JMSException {
        message.writeShort((short) 5);
        message.reset();
        assertThatThrownBy(message::readInt).isInstanceOf(MessageEOFException.class);
        assertThatThrownBy(message::readLong).isInstanceOf(MessageEOFException.class);
        // The short says that five bytes of text follow.
        assertThatThrownBy(message::readUTF).isInstanceOf(MessageEOFException.class);
        assertThat(message.readShort()).isEqualTo((short) 5);
        assertThatThrownBy(message::readBoolean).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldReadBytesInParts() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3, 4, 5});
        message.reset();
        byte[] buffer = new byte[3];
        assertThat(message.readBytes(buffer)).isEqualTo(3);
        assertThat(message.readBytes(buffer, 1)).isEqualTo(1);
        assertThat(buffer).containsExactly(4, 2, 3);
        assertThat(message.readBytes(buffer, 0)).isZero();
        assertThatThrownBy(() -> message.readBytes(buffer, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> message.readBytes(buffer, -1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(message.readByte()).isEqualTo((byte) 5);
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
    }

    @Test
    void shouldRefuseAStringThatIsTooLongAndOneThatIsBroken() throws JMSException {
        assertThatThrownBy(() -> message.writeUTF("x".repeat(65_536)))
                .isInstanceOf(MessageFormatException.class);
        message.writeShort((short) 1);
        message.writeByte((byte) 0xFF);
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(3);
        assertThatThrownBy(message::readUTF).isInstanceOf(MessageFormatException.class);
        assertThat(message.readShort()).isEqualTo((short) 1);
    }

    @Test
    void shouldGiveItsBodyAsBytesAndResetBeforeAndAfter() throws JMSException {
        assertThat(message.getBody(String.class)).isNull();
        message.clearBody();
        message.writeBytes(new byte[] {1, 2});
        assertThat(message.isBodyAssignableTo(byte[].class)).isTrue();
        assertThat(message.isBodyAssignableTo(Object.class)).isTrue();
        assertThat(message.isBodyAssignableTo(String.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(String.class))
                .isInstanceOf(MessageFormatException.class);
        byte[] body = message.getBody(byte[].class);
        assertThat(body).containsExactly(1, 2);
        body[0] = 9;
        assertThat(message.readByte()).isEqualTo((byte) 1);
        assertThat((byte[]) message.getBody(Object.class)).containsExactly(1, 2);
        assertThat(message.readByte()).isEqualTo((byte) 1);
    }

    @Test
    void shouldKeepWritingAfterItWasEncoded() throws JMSException {
        message.writeByte((byte) 1);
        MessageCodec.encode(message, null);
        message.writeByte((byte) 2);
        assertThat(message.getBody(byte[].class)).containsExactly(1, 2);
    }
}
