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

class MetaQStreamMessageTest {
    private final MetaQStreamMessage message = new MetaQStreamMessage();

    @Test
    void shouldDemandThatAnArrayIsReadToItsEnd() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3, 4});
        message.writeInt(5);
        message.reset();
        byte[] buffer = new byte[2];
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(message::readObject).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(message::readString).isInstanceOf(MessageFormatException.class);
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        assertThat(buffer).containsExactly(3, 4);
        // The buffer was filled exactly: only a further call tells that nothing is left.
        assertThatThrownBy(message::readInt).isInstanceOf(MessageFormatException.class);
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
        assertThat(message.readInt()).isEqualTo(5);
    }

    @Test
    void shouldEndAnArrayWithTheFirstShortRead() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3});
        message.writeBytes(new byte[] {4});
        message.reset();
        byte[] buffer = new byte[2];
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        assertThat(message.readBytes(buffer)).isEqualTo(1);
        assertThat(message.readBytes(buffer)).isEqualTo(1);
        assertThat(buffer[0]).isEqualTo((byte) 4);
        assertThatThrownBy(() -> message.readBytes(buffer)).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldReadEmptyAndNullArrays() throws JMSException {
        message.writeBytes(new byte[0]);
        message.writeBytes(null);
        message.writeBytes(new byte[] {1, 2, 3}, 1, 1);
        message.reset();
        byte[] buffer = new byte[2];
        assertThat(message.readBytes(buffer)).isZero();
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
        assertThat(message.readObject()).isEqualTo(new byte[] {2});
    }

    @Test
    void shouldNotConsumeAValueThatCannotBeConverted() throws JMSException {
        message.writeString("abc");
        message.writeObject(null);
        message.reset();
        assertThatThrownBy(message::readInt).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(message::readChar).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1]))
                .isInstanceOf(MessageFormatException.class);
        assertThat(message.readString()).isEqualTo("abc");
        assertThatThrownBy(message::readLong).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(message::readFloat).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(message::readChar).isInstanceOf(NullPointerException.class);
        assertThat(message.readString()).isNull();
        assertThatThrownBy(message::readObject).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldBeWriteOnlyThenReadOnlyThenWriteOnlyAgain() throws JMSException {
        message.writeInt(1);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1]))
                .isInstanceOf(MessageNotReadableException.class);
        message.reset();
        assertThatThrownBy(() -> message.writeInt(1))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> message.writeObject(List.of()))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThat(message.readInt()).isEqualTo(1);
        message.reset();
        assertThat(message.readInt()).isEqualTo(1);
        message.clearBody();
        message.writeInt(2);
        message.reset();
        assertThat(message.readInt()).isEqualTo(2);
    }

    @Test
    void shouldKeepItsOwnCopiesOfArrays() throws JMSException {
        byte[] bytes = {1};
        message.writeBytes(bytes);
        message.writeObject(bytes);
        bytes[0] = 2;
        message.reset();
        byte[] read = (byte[]) message.readObject();
        assertThat(read).containsExactly(1);
        read[0] = 3;
        message.reset();
        assertThat(message.readObject()).isEqualTo(new byte[] {1});
        assertThat(message.readObject()).isEqualTo(new byte[] {1});
    }

    @Test
    void shouldHaveNoBodyOfOneType() {
        assertThat(message.isBodyAssignableTo(Object.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(Object.class))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.writeObject(List.of()))
                .isInstanceOf(MessageFormatException.class);
    }
}
