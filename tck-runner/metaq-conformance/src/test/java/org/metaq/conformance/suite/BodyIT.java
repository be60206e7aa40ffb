package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §3.9 to §3.11: bodies on their way, what is read-only when, and clearing. */
class BodyIT extends ConformanceTest {
    private Session session;

    @BeforeEach
    void connectOnce() throws JMSException {
        session = session();
    }

    // ---- all forms

    @Test
    @Spec({"3.11", "3.11.4"})
    void shouldCarryTexts() throws JMSException {
        for (String text :
                new String[] {"", "a", "\u20ac\ud83d\ude00\u0000", "x".repeat(300_000), null}) {
            Message received = sent(session, session.createTextMessage(text));
            assertThat(received).isInstanceOf(TextMessage.class);
            assertThat(((TextMessage) received).getText()).isEqualTo(text);
        }
        assertThat(session.createTextMessage().getText()).isNull();
    }

    @Test
    @Spec({"3.11", "3.11.4"})
    void shouldCarryObjects() throws JMSException {
        ArrayList<Object> list = new ArrayList<>(Arrays.asList("a", 1, null, Map.of("k", 2L)));

        Message received = sent(session, session.createObjectMessage(list));

        assertThat(received).isInstanceOf(ObjectMessage.class);
        assertThat(((ObjectMessage) received).getObject()).isEqualTo(list);
        assertThat(((ObjectMessage) sent(session, session.createObjectMessage())).getObject())
                .isNull();
    }

    @Test
    @Spec({"3.11", "3.11.4"})
    void shouldCarryBytes() throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBoolean(true);
        message.writeByte((byte) -1);
        message.writeShort((short) -2);
        message.writeChar('\u20ac');
        message.writeInt(-3);
        message.writeLong(-4);
        message.writeFloat(5.5f);
        message.writeDouble(6.5);
        message.writeUTF("seven\u20ac");
        message.writeBytes(new byte[] {1, 2, 3});
        message.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
        message.writeObject(8);

        BytesMessage received = (BytesMessage) sent(session, message);

        assertThat(received.getBodyLength()).isEqualTo(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8 + 10 + 5 + 4);
        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readUnsignedByte()).isEqualTo(255);
        assertThat(received.readUnsignedShort()).isEqualTo(65534);
        assertThat(received.readChar()).isEqualTo('\u20ac');
        assertThat(received.readInt()).isEqualTo(-3);
        assertThat(received.readLong()).isEqualTo(-4);
        assertThat(received.readFloat()).isEqualTo(5.5f);
        assertThat(received.readDouble()).isEqualTo(6.5);
        assertThat(received.readUTF()).isEqualTo("seven\u20ac");
        byte[] five = new byte[5];
        assertThat(received.readBytes(five)).isEqualTo(5);
        assertThat(five).containsExactly(1, 2, 3, 2, 3);
        assertThat(received.readInt()).isEqualTo(8);
        assertThat(received.readBytes(five)).isEqualTo(-1);
        received.reset();
        assertThat(received.readBoolean()).isTrue();
    }

    @Test
    @Spec({"3.11", "3.11.4"})
    void shouldCarryMaps() throws JMSException {
        MapMessage message = session.createMapMessage();
        message.setBoolean("z", true);
        message.setByte("b", (byte) 1);
        message.setShort("s", (short) 2);
        message.setChar("c", '\u20ac');
        message.setInt("i", 3);
        message.setLong("l", 4);
        message.setFloat("f", 5.5f);
        message.setDouble("d", 6.5);
        message.setString("t", "seven");
        message.setBytes("y", new byte[] {1, 2, 3}, 1, 2);
        message.setString("null", null);

        MapMessage received = (MapMessage) sent(session, message);

        assertThat(namesIn(received.getMapNames()))
                .containsExactlyInAnyOrder(
                        "z", "b", "s", "c", "i", "l", "f", "d", "t", "y", "null");
        assertThat(received.getObject("z")).isEqualTo(true);
        assertThat(received.getObject("b")).isEqualTo((byte) 1);
        assertThat(received.getObject("s")).isEqualTo((short) 2);
        assertThat(received.getObject("c")).isEqualTo('\u20ac');
        assertThat(received.getObject("i")).isEqualTo(3);
        assertThat(received.getObject("l")).isEqualTo(4L);
        assertThat(received.getObject("f")).isEqualTo(5.5f);
        assertThat(received.getObject("d")).isEqualTo(6.5);
        assertThat(received.getObject("t")).isEqualTo("seven");
        assertThat((byte[]) received.getObject("y")).containsExactly(2, 3);
        assertThat(received.getObject("null")).isNull();
        assertThat(received.itemExists("null")).isTrue();
        assertThat(received.itemExists("other")).isFalse();
    }

    @Test
    @Spec({"3.11", "3.11.4"})
    void shouldCarryStreams() throws JMSException {
        StreamMessage message = session.createStreamMessage();
        for (Object value : new Object[] {true, (byte) 1, (short) 2, 'c', 3, 4L, 5.5f, 6.5, "7"}) {
            message.writeObject(value);
        }
        message.writeString(null);
        message.writeBytes(new byte[] {1, 2, 3}, 1, 2);

        StreamMessage received = (StreamMessage) sent(session, message);

        for (Object value : new Object[] {true, (byte) 1, (short) 2, 'c', 3, 4L, 5.5f, 6.5, "7"}) {
            assertThat(received.readObject()).isEqualTo(value);
        }
        assertThat(received.readObject()).isNull();
        assertThat((byte[]) received.readObject()).containsExactly(2, 3);
        assertThatThrownBy(received::readObject).isInstanceOf(MessageEOFException.class);
    }

    @Test
    @Spec("3.11")
    void shouldCarryMessagesWithoutBody() throws JMSException {
        Message received = sent(session, session.createMessage());

        assertThat(received)
                .isNotInstanceOfAny(
                        TextMessage.class,
                        BytesMessage.class,
                        MapMessage.class,
                        StreamMessage.class,
                        ObjectMessage.class);
    }

    static Stream<String> forms() {
        return Stream.of("text", "object", "bytes", "map", "stream");
    }

    private Message filled(String form) throws JMSException {
        Message message =
                switch (form) {
                    case "text" -> session.createTextMessage("body");
                    case "object" -> session.createObjectMessage("body");
                    case "bytes" -> session.createBytesMessage();
                    case "map" -> session.createMapMessage();
                    default -> session.createStreamMessage();
                };
        message.setIntProperty("p", 1);
        write(message);
        return message;
    }

    private static void write(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            text.setText("new");
        } else if (message instanceof ObjectMessage object) {
            object.setObject("new");
        } else if (message instanceof BytesMessage bytes) {
            bytes.writeInt(7);
        } else if (message instanceof MapMessage map) {
            map.setInt("i", 7);
        } else if (message instanceof StreamMessage stream) {
            stream.writeInt(7);
        }
    }

    /** What the body holds, also of a message that is still written. */
    private static Object content(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return text.getText();
        } else if (message instanceof ObjectMessage object) {
            return object.getObject();
        } else if (message instanceof MapMessage map) {
            return map.itemExists("i") ? map.getInt("i") : null;
        } else if (message instanceof BytesMessage bytes) {
            bytes.reset();
            return bytes.getBodyLength() == 0 ? null : bytes.readInt();
        }
        StreamMessage stream = (StreamMessage) message;
        stream.reset();
        try {
            return stream.readInt();
        } catch (MessageEOFException e) {
            return null;
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    @Spec({"3.11.2", "3.10", "10.3"})
    void shouldNotLetReceiversWriteBodies(String form) throws JMSException {
        Message received = sent(session, filled(form));

        assertThatThrownBy(() -> write(received)).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Spec({"3.11.2", "10.3"})
    void shouldRefuseEachWriteMethodOfReceivers() throws JMSException {
        MapMessage map = (MapMessage) sent(session, session.createMapMessage());
        BytesMessage bytes = (BytesMessage) sent(session, session.createBytesMessage());
        StreamMessage stream = (StreamMessage) sent(session, session.createStreamMessage());
        List<ThrowingCallable> writes =
                List.of(
                        () -> map.setBoolean("a", true),
                        () -> map.setBytes("a", new byte[1]),
                        () -> map.setObject("a", 1),
                        () -> map.setString("a", "b"),
                        () -> bytes.writeBoolean(true),
                        () -> bytes.writeBytes(new byte[1]),
                        () -> bytes.writeUTF("a"),
                        () -> bytes.writeObject(1),
                        () -> stream.writeBoolean(true),
                        () -> stream.writeBytes(new byte[1]),
                        () -> stream.writeString("a"),
                        () -> stream.writeObject(1));

        assertThat(writes)
                .allSatisfy(
                        write ->
                                assertThatThrownBy(write)
                                        .isInstanceOf(MessageNotWriteableException.class));
    }

    @ParameterizedTest
    @MethodSource("forms")
    @Spec({"3.11.1", "3.11.2", "3.10"})
    void shouldLetReceiversWriteAfterClearing(String form) throws JMSException {
        Message received = sent(session, filled(form));

        received.clearBody();
        assertThat(received.getIntProperty("p")).isEqualTo(1);
        write(received);

        assertThat(content(received)).isIn("new", 7);
        assertThatThrownBy(() -> received.setIntProperty("p", 2))
                .isInstanceOf(MessageNotWriteableException.class);
    }

    @ParameterizedTest
    @MethodSource("forms")
    @Spec("3.11.1")
    void shouldClearTheBodyOnly(String form) throws JMSException {
        Message message = filled(form);
        message.setJMSType("type");

        message.clearBody();

        assertThat(content(message)).isNull();
        assertThat(message.getIntProperty("p")).isEqualTo(1);
        assertThat(message.getJMSType()).isEqualTo("type");
    }

    @Test
    @Spec({"3.11", "10.3"})
    void shouldNotReadWhatIsBeingWritten() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        StreamMessage stream = session.createStreamMessage();
        bytes.writeInt(1);
        stream.writeInt(1);

        assertThatThrownBy(bytes::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(bytes::getBodyLength).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(stream::readInt).isInstanceOf(MessageNotReadableException.class);
        bytes.reset();
        stream.reset();
        assertThat(bytes.readInt()).isEqualTo(1);
        assertThat(stream.readInt()).isEqualTo(1);
        assertThatThrownBy(() -> bytes.writeInt(2))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> stream.writeInt(2))
                .isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Spec("10.3")
    void shouldTellTheEndOfBytesAndStreams() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeShort((short) 1);
        bytes.reset();

        assertThatThrownBy(bytes::readLong).isInstanceOf(MessageEOFException.class);
        StreamMessage stream = session.createStreamMessage();
        stream.reset();
        assertThatThrownBy(stream::readInt).isInstanceOf(MessageEOFException.class);
    }

    @Test
    @Spec({"3.11", "10.3"})
    void shouldTakeNoOtherClassesInBodies() throws JMSException {
        for (Object value : new Object[] {new Date(), List.of(), new int[1]}) {
            assertThatThrownBy(() -> session.createMapMessage().setObject("a", value))
                    .isInstanceOf(MessageFormatException.class);
            assertThatThrownBy(() -> session.createStreamMessage().writeObject(value))
                    .isInstanceOf(MessageFormatException.class);
            assertThatThrownBy(() -> session.createBytesMessage().writeObject(value))
                    .isInstanceOf(MessageFormatException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null"})
    @Spec("3.11")
    void shouldNotTakeMapEntriesWithoutName(String name) throws JMSException {
        String given = name.isEmpty() ? "" : null;
        assertThatThrownBy(() -> session.createMapMessage().setInt(given, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- access after sending and receiving

    @Test
    @Spec("3.9")
    void shouldNotChangeWhatWasSent() throws JMSException {
        Queue queue = newQueue();
        MessageProducer producer = session.createProducer(queue);
        TextMessage message = session.createTextMessage("one");
        message.setIntProperty("p", 1);
        producer.send(message);
        message.setText("two");
        message.setIntProperty("p", 2);
        producer.send(message);

        MessageConsumer consumer = session.createConsumer(queue);

        Message first = receive(consumer);
        assertThat(text(first)).isEqualTo("one");
        assertThat(first.getIntProperty("p")).isEqualTo(1);
        Message second = receive(consumer);
        assertThat(text(second)).isEqualTo("two");
        assertThat(second.getIntProperty("p")).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("forms")
    @Spec("3.9")
    void shouldSendTheSameObjectSeveralTimes(String form) throws JMSException {
        Queue queue = newQueue();
        MessageProducer producer = session.createProducer(queue);
        Message message = filled(form);
        producer.send(message);
        producer.send(message);

        MessageConsumer consumer = session.createConsumer(queue);

        assertThat(content(receive(consumer))).isIn("new", 7);
        assertThat(content(receive(consumer))).isIn("new", 7);
    }

    @Test
    @Spec("3.10")
    void shouldLetReceiversChangeHeaders() throws JMSException {
        Message received = sent(session, session.createTextMessage("a"));

        received.setJMSType("other");
        received.setJMSCorrelationID("id");
        received.setJMSPriority(9);

        assertThat(received.getJMSType()).isEqualTo("other");
        assertThat(received.getJMSCorrelationID()).isEqualTo("id");
        assertThat(received.getJMSPriority()).isEqualTo(9);
    }

    @Test
    @Spec("3.10")
    void shouldRedeliverTheOriginal() throws JMSException {
        Queue queue = newQueue();
        Session transacted = session(Session.SESSION_TRANSACTED);
        TextMessage message = session.createTextMessage("original");
        message.setIntProperty("p", 1);
        session.createProducer(queue).send(message);
        MessageConsumer consumer = transacted.createConsumer(queue);
        TextMessage first = (TextMessage) receive(consumer);
        first.clearBody();
        first.setText("changed");
        first.clearProperties();
        first.setIntProperty("p", 2);

        transacted.rollback();

        Message again = receive(consumer);
        assertThat(text(again)).isEqualTo("original");
        assertThat(again.getIntProperty("p")).isEqualTo(1);
        assertThat(again.getJMSRedelivered()).isTrue();
    }

    @Test
    @Spec("3.9")
    void shouldSendAReceivedMessage() throws JMSException {
        TextMessage received = (TextMessage) sent(session, session.createTextMessage("a"));
        String id = received.getJMSMessageID();

        Message again = sent(session, received);

        assertThat(text(again)).isEqualTo("a");
        assertThat(again.getJMSMessageID()).isNotEqualTo(id);
    }
}
