package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §3.12: messages of other implementations, and copies of objects. */
class ForeignMessageIT extends ConformanceTest {
    private Session session;

    @BeforeEach
    void connectOnce() throws JMSException {
        session = session();
    }

    @Test
    @Spec({"3.12", "3.4.11"})
    void shouldSendForeignTextsAndSetTheirHeaders() throws JMSException {
        Queue queue = newQueue();
        Queue replyTo = newQueue();
        TextMessage foreign = ForeignMessage.of(session.createTextMessage("a"));
        foreign.setStringProperty("color", "blue");
        foreign.setJMSType("type");
        foreign.setJMSCorrelationID("id");
        foreign.setJMSReplyTo(replyTo);
        MessageProducer producer = session.createProducer(queue);
        producer.setPriority(8);
        producer.setTimeToLive(3_600_000);
        producer.send(foreign);

        Message received = receive(session.createConsumer(queue));

        assertThat(text(received)).isEqualTo("a");
        assertThat(received.getStringProperty("color")).isEqualTo("blue");
        assertThat(received.getJMSType()).isEqualTo("type");
        assertThat(received.getJMSCorrelationID()).isEqualTo("id");
        assertThat(received.getJMSReplyTo()).isEqualTo(replyTo);
        assertThat(foreign.getJMSMessageID())
                .startsWith("ID:")
                .isEqualTo(received.getJMSMessageID());
        assertThat(foreign.getJMSTimestamp()).isEqualTo(received.getJMSTimestamp()).isPositive();
        assertThat(foreign.getJMSPriority()).isEqualTo(8);
        assertThat(foreign.getJMSExpiration()).isEqualTo(received.getJMSExpiration()).isPositive();
        assertThat(foreign.getJMSDestination()).isEqualTo(queue);
    }

    @Test
    @Spec("3.12")
    void shouldSendForeignBytes() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeLong(7);
        bytes.reset();

        BytesMessage received = (BytesMessage) sent(session, ForeignMessage.of(bytes));

        assertThat(received.getBodyLength()).isEqualTo(8);
        assertThat(received.readLong()).isEqualTo(7);
    }

    @Test
    @Spec("3.12")
    void shouldSendForeignMaps() throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setInt("i", 7);
        map.setBytes("b", new byte[] {1});
        map.setString("n", null);

        MapMessage received = (MapMessage) sent(session, ForeignMessage.of(map));

        assertThat(received.getObject("i")).isEqualTo(7);
        assertThat(received.getBytes("b")).containsExactly(1);
        assertThat(received.itemExists("n")).isTrue();
    }

    @Test
    @Spec("3.12")
    void shouldSendForeignStreams() throws JMSException {
        StreamMessage stream = session.createStreamMessage();
        stream.writeChar('c');
        stream.writeString("s");
        stream.writeBytes(new byte[] {1, 2});
        stream.reset();

        StreamMessage received = (StreamMessage) sent(session, ForeignMessage.of(stream));

        assertThat(received.readChar()).isEqualTo('c');
        assertThat(received.readString()).isEqualTo("s");
        assertThat((byte[]) received.readObject()).containsExactly(1, 2);
    }

    @Test
    @Spec("3.12")
    void shouldSendForeignObjects() throws JMSException {
        ObjectMessage received =
                (ObjectMessage) sent(session, ForeignMessage.of(session.createObjectMessage(7L)));

        assertThat(received.getObject()).isEqualTo(7L);
    }

    @Test
    @Spec("3.12")
    void shouldSendForeignMessagesWithoutBody() throws JMSException {
        Message message = session.createMessage();
        message.setIntProperty("p", 7);

        assertThat(sent(session, ForeignMessage.of(message)).getIntProperty("p")).isEqualTo(7);
    }

    @Test
    @Spec({"3.12", "6.2.4"})
    void shouldSendForeignMessagesThroughTheSimplifiedApi() throws JMSException {
        Queue queue = newQueue();
        context()
                .createProducer()
                .send(queue, (Message) ForeignMessage.of(session.createTextMessage("a")));

        assertThat(texts(session.createConsumer(queue), 1)).containsExactly("a");
    }

    @Test
    @Spec("3.12")
    void shouldCopyObjectsThatAreSet() throws JMSException {
        byte[] array = {1, 2};
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        MapMessage map = session.createMapMessage();
        map.setBytes("b", array);
        map.setObject("o", array);
        StreamMessage stream = session.createStreamMessage();
        stream.writeObject(array);
        ObjectMessage object = session.createObjectMessage(list);

        array[0] = 9;
        list.add("b");

        assertThat(map.getBytes("b")).containsExactly(1, 2);
        assertThat((byte[]) map.getObject("o")).containsExactly(1, 2);
        stream.reset();
        assertThat((byte[]) stream.readObject()).containsExactly(1, 2);
        assertThat(object.getObject()).isEqualTo(List.of("a"));
    }

    @Test
    @Spec("3.12")
    void shouldCopyObjectsThatAreRead() throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setBytes("b", new byte[] {1, 2});
        ObjectMessage object = session.createObjectMessage(new ArrayList<>(List.of("a")));

        map.getBytes("b")[0] = 9;
        ((byte[]) map.getObject("b"))[1] = 9;
        ((ArrayList<?>) object.getObject()).clear();

        assertThat(map.getBytes("b")).containsExactly(1, 2);
        assertThat(object.getObject()).isEqualTo(List.of("a"));
    }

    @Test
    @Spec("3.12")
    void shouldTakeNullObjectsButNotInBytes() throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setBytes("b", null);
        map.setObject("o", null);
        StreamMessage stream = session.createStreamMessage();
        stream.writeObject(null);
        stream.writeBytes(null);
        stream.reset();

        assertThat(map.getBytes("b")).isNull();
        assertThat(map.getObject("o")).isNull();
        assertThat(stream.readObject()).isNull();
        assertThat(stream.readObject()).isNull();
        assertThatThrownBy(() -> session.createBytesMessage().writeObject(null))
                .isInstanceOf(NullPointerException.class);
    }
}
