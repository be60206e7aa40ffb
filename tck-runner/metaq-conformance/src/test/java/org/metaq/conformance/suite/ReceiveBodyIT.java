package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.conformance.Spec;

/** §8.6: receiving bodies; and Message.getBody, which it builds on. */
class ReceiveBodyIT extends ConformanceTest {
    private JMSContext context;
    private Queue queue;
    private JMSProducer producer;

    @BeforeEach
    void makeAContext() {
        context = context();
        queue = newQueue();
        producer = context.createProducer();
    }

    @Test
    @Spec("8.6")
    void shouldReceiveBodiesOfEachKind() {
        producer.send(queue, "text");
        producer.send(queue, Map.of("i", 7));
        producer.send(queue, new byte[] {1, 2});
        producer.send(queue, (Serializable) new ArrayList<>(List.of("a")));
        JMSConsumer consumer = context.createConsumer(queue);

        assertThat(consumer.receiveBody(String.class)).isEqualTo("text");
        assertThat((Object) consumer.receiveBody(Map.class, PATIENCE_MS)).isEqualTo(Map.of("i", 7));
        assertThat(consumer.receiveBody(byte[].class, PATIENCE_MS)).containsExactly(1, 2);
        assertThat((Object) consumer.receiveBody(List.class, PATIENCE_MS)).isEqualTo(List.of("a"));
    }

    @Test
    @Spec("8.6")
    void shouldReceiveBodiesAsSuperclasses() {
        for (int i = 0; i < 3; i++) {
            producer.send(queue, "text");
        }
        producer.send(queue, new byte[] {1});
        producer.send(queue, (Serializable) 7);
        JMSConsumer consumer = context.createConsumer(queue);

        assertThat(consumer.receiveBody(Object.class, PATIENCE_MS)).isEqualTo("text");
        assertThat(consumer.receiveBody(CharSequence.class, PATIENCE_MS)).isEqualTo("text");
        assertThat(consumer.receiveBody(Serializable.class, PATIENCE_MS)).isEqualTo("text");
        assertThat((byte[]) consumer.receiveBody(Object.class, PATIENCE_MS)).containsExactly(1);
        assertThat(consumer.receiveBody(Number.class, PATIENCE_MS)).isEqualTo(7);
    }

    @Test
    @Spec("8.6")
    void shouldReturnNullWhenNothingComes() {
        JMSConsumer consumer = context.createConsumer(queue);

        assertThat(consumer.receiveBody(String.class, 1)).isNull();
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
    }

    @Test
    @Spec("8.6")
    void shouldNotWaitWhenToldNotTo() {
        producer.send(queue, "a");

        assertThat(context.createConsumer(queue).receiveBodyNoWait(String.class)).isEqualTo("a");
    }

    @Test
    @Spec({"8.6", "10.3"})
    void shouldRefuseStreamsMessagesWithoutBodyAndOtherTypes() {
        producer.send(queue, context.createStreamMessage());
        JMSConsumer consumer = context.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(Object.class, PATIENCE_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receive(PATIENCE_MS)).isInstanceOf(StreamMessage.class);

        producer.send(queue, context.createMessage());
        assertThatThrownBy(() -> consumer.receiveBody(Object.class, PATIENCE_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receive(PATIENCE_MS)).isNotNull();

        producer.send(queue, "text");
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class, PATIENCE_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("text");
    }

    @Test
    @Spec({"8.6", "10.3"})
    void shouldRefuseTextsWithoutText() {
        producer.send(queue, (String) null);
        JMSConsumer consumer = context.createConsumer(queue);

        assertThatThrownBy(() -> consumer.receiveBody(String.class, PATIENCE_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE})
    @Spec("8.6")
    void shouldDeliverARefusedBodyAgainUnflagged(int mode) throws JMSException {
        producer.send(queue, "a").send(queue, "b");
        JMSConsumer consumer = context(mode).createConsumer(queue);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> consumer.receiveBody(Integer.class, PATIENCE_MS))
                    .isInstanceOf(MessageFormatRuntimeException.class);
        }

        assertThat(described(consumer.receive(PATIENCE_MS))).isEqualTo("a#1");
        assertThat(described(consumer.receive(PATIENCE_MS))).isEqualTo("b#1");
    }

    @Test
    @Spec("8.6")
    void shouldTakeARefusedBodyForDeliveredWithClientAcknowledgement() throws JMSException {
        producer.send(queue, "a").send(queue, "b");
        JMSContext client = context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = client.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class, PATIENCE_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(described(consumer.receive(PATIENCE_MS))).isEqualTo("b#1");

        client.recover();

        assertThat(described(consumer.receive(PATIENCE_MS))).isEqualTo("a#2R");
        assertThat(described(consumer.receive(PATIENCE_MS))).isEqualTo("b#2R");
    }

    @Test
    @Spec("8.6")
    void shouldTakeARefusedBodyForDeliveredInATransaction() throws JMSException {
        producer.send(queue, "a").send(queue, "b");
        JMSContext transacted = context(JMSContext.SESSION_TRANSACTED);
        JMSConsumer consumer = transacted.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class, PATIENCE_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
        transacted.rollback();
        assertThat(described(consumer.receive(PATIENCE_MS))).isEqualTo("a#2R");
        transacted.commit();

        assertThat(described(consumer.receive(PATIENCE_MS))).isEqualTo("b#1");
        transacted.commit();
    }

    private Message sent(Message message) {
        producer.send(queue, message);
        Message received = context.createConsumer(queue).receive(PATIENCE_MS);
        assertThat(received).as("a message in time").isNotNull();
        return received;
    }

    @Test
    @Spec({"8.6", "3.11"})
    void shouldGetTheBodyOfTexts() throws JMSException {
        Message text = sent(context.createTextMessage("a"));
        assertThat(text.getBody(String.class)).isEqualTo("a");
        assertThat(text.isBodyAssignableTo(String.class)).isTrue();
        assertThat(text.isBodyAssignableTo(Object.class)).isTrue();
        assertThat(text.isBodyAssignableTo(Map.class)).isFalse();
        assertThatThrownBy(() -> text.getBody(Map.class))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    @Spec({"8.6", "3.11"})
    void shouldGetTheBodyOfBytes() throws JMSException {
        BytesMessage bytes = context.createBytesMessage();
        bytes.writeBytes(new byte[] {1, 2});
        Message received = sent(bytes);
        assertThat(received.getBody(byte[].class)).containsExactly(1, 2);
        assertThat(received.getBody(byte[].class)).as("again").containsExactly(1, 2);
        assertThat(received.isBodyAssignableTo(byte[].class)).isTrue();
        assertThat(received.isBodyAssignableTo(String.class)).isFalse();
    }

    @Test
    @Spec({"8.6", "3.11"})
    void shouldGetTheBodyOfMaps() throws JMSException {
        MapMessage map = context.createMapMessage();
        map.setInt("i", 7);
        map.setString("s", "x");
        Message received = sent(map);

        assertThat((Object) received.getBody(Map.class)).isEqualTo(Map.of("i", 7, "s", "x"));
        assertThat(received.isBodyAssignableTo(Map.class)).isTrue();
        assertThat(received.isBodyAssignableTo(String.class)).isFalse();
    }

    @Test
    @Spec({"8.6", "3.11"})
    void shouldGetTheBodyOfObjects() throws JMSException {
        Message received = sent(context.createObjectMessage(7L));

        assertThat(received.getBody(Long.class)).isEqualTo(7L);
        assertThat(received.getBody(Number.class)).isEqualTo(7L);
        assertThat(received.isBodyAssignableTo(String.class)).isFalse();
        assertThatThrownBy(() -> received.getBody(String.class))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    @Spec({"8.6", "3.11", "10.3"})
    void shouldGetNoBodyOfStreamsAndPlainMessages() throws JMSException {
        Message stream = sent(context.createStreamMessage());
        assertThatThrownBy(() -> stream.getBody(Object.class))
                .isInstanceOf(MessageFormatException.class);
        assertThat(stream.isBodyAssignableTo(Object.class)).isFalse();
        assertThat(context.createMessage().getBody(String.class)).isNull();
        assertThat(context.createTextMessage().getBody(String.class)).isNull();
        assertThat(context.createTextMessage().isBodyAssignableTo(Map.class)).isTrue();
    }
}
