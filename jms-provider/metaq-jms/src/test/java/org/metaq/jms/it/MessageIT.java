package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;

/** Messages of all kinds on their way through a broker. */
class MessageIT extends BrokerTestBase {
    /** For object messages. */
    record Order(String id, int quantity) implements Serializable {}

    private MetaQQueue queue;
    private Session session;
    private MessageProducer producer;
    private MessageConsumer consumer;

    @BeforeEach
    void openSession() throws JMSException {
        queue = newQueue();
        session = connect("allowedClasses=" + Order.class.getName()).createSession();
        producer = session.createProducer(queue);
        consumer = session.createConsumer(queue);
    }

    @SuppressWarnings("unchecked")
    private <M extends Message> M roundTrip(M message) throws JMSException {
        producer.send(message);
        return (M) receive(consumer);
    }

    // ---- bodies

    @Test
    @Spec("JMS 3.1 §3.11")
    void shouldCarryTexts() throws Exception {
        String text = "orders \u00e4\u20ac\ud83d\ude00\u0000\r\n end";
        assertThat(roundTrip(session.createTextMessage(text)).getText()).isEqualTo(text);
        assertThat(roundTrip(session.createTextMessage("")).getText()).isEmpty();
        assertThat(roundTrip(session.createTextMessage(null)).getText()).isNull();
        assertThat(roundTrip(session.createTextMessage()).getText()).isNull();
    }

    @Test
    @Spec("JMS 3.1 §3.11")
    void shouldCarryEmptyBodies() throws Exception {
        Message plain = session.createMessage();
        plain.setStringProperty("only", "properties");
        Message received = roundTrip(plain);
        assertThat(received)
                .isNotInstanceOfAny(
                        TextMessage.class,
                        BytesMessage.class,
                        MapMessage.class,
                        StreamMessage.class,
                        ObjectMessage.class);
        assertThat(received.getStringProperty("only")).isEqualTo("properties");
        assertThat(roundTrip(session.createBytesMessage()).getBodyLength()).isZero();
        assertThat(roundTrip(session.createMapMessage()).getMapNames().hasMoreElements()).isFalse();
        assertThat(roundTrip(session.createObjectMessage()).getObject()).isNull();
        StreamMessage stream = roundTrip(session.createStreamMessage());
        assertThatThrownBy(stream::readObject).isInstanceOf(jakarta.jms.MessageEOFException.class);
    }

    @Test
    @Spec("JMS 3.1 §3.11, BytesMessage")
    void shouldCarryBytesAndPrimitives() throws Exception {
        BytesMessage message = session.createBytesMessage();
        message.writeBoolean(true);
        message.writeByte((byte) -7);
        message.writeShort((short) -300);
        message.writeChar('\u20ac');
        message.writeInt(Integer.MIN_VALUE);
        message.writeLong(Long.MAX_VALUE);
        message.writeFloat(1.5f);
        message.writeDouble(Math.PI);
        message.writeUTF("\u00e4\ud83d\ude00");
        message.writeBytes(new byte[] {1, 2, 3});
        BytesMessage received = roundTrip(message);
        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readByte()).isEqualTo((byte) -7);
        assertThat(received.readShort()).isEqualTo((short) -300);
        assertThat(received.readChar()).isEqualTo('\u20ac');
        assertThat(received.readInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(received.readLong()).isEqualTo(Long.MAX_VALUE);
        assertThat(received.readFloat()).isEqualTo(1.5f);
        assertThat(received.readDouble()).isEqualTo(Math.PI);
        assertThat(received.readUTF()).isEqualTo("\u00e4\ud83d\ude00");
        byte[] rest = new byte[5];
        assertThat(received.readBytes(rest)).isEqualTo(3);
        assertThat(rest).startsWith(1, 2, 3);
    }

    @Test
    @Spec("JMS 3.1 §3.11, MapMessage and StreamMessage")
    void shouldCarryMapsAndStreams() throws Exception {
        List<Object> values =
                List.of(
                        true,
                        (byte) 1,
                        (short) 2,
                        'c',
                        3,
                        4L,
                        5.5f,
                        6.5d,
                        "text",
                        new byte[] {7, 8});
        MapMessage map = session.createMapMessage();
        StreamMessage stream = session.createStreamMessage();
        for (int i = 0; i < values.size(); i++) {
            map.setObject("k" + i, values.get(i));
            stream.writeObject(values.get(i));
        }
        map.setString("null", null);
        stream.writeObject(null);
        MapMessage gotMap = roundTrip(map);
        StreamMessage gotStream = roundTrip(stream);
        for (int i = 0; i < values.size(); i++) {
            assertThat(gotMap.getObject("k" + i)).isEqualTo(values.get(i));
            assertThat(gotStream.readObject()).isEqualTo(values.get(i));
        }
        assertThat(gotMap.itemExists("null")).isTrue();
        assertThat(gotMap.getObject("null")).isNull();
        assertThat(gotStream.readObject()).isNull();
    }

    @Test
    @Spec("JMS 3.1 §3.11, ObjectMessage")
    void shouldCarryObjectsOfAllowedClassesOnly() throws Exception {
        Order order = new Order("o-1", 5);
        assertThat(roundTrip(session.createObjectMessage(order)).getObject()).isEqualTo(order);
        ArrayList<Integer> list = new ArrayList<>(List.of(1, 2));
        assertThat(roundTrip(session.createObjectMessage(list)).getObject()).isEqualTo(list);
        Session strict = connect().createSession();
        MetaQQueue other = newQueue();
        session.createProducer(other).send(session.createObjectMessage(order));
        ObjectMessage refused = (ObjectMessage) receive(strict.createConsumer(other));
        assertThatThrownBy(refused::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("Order");
    }

    @Test
    @Spec("JMS 3.1 §3.11: no limit but the broker's")
    void shouldCarryFiveMegabytes() throws Exception {
        byte[] large = new byte[5 << 20];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31 >> 3);
        }
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(large);
        BytesMessage received = roundTrip(message);
        byte[] got = new byte[large.length];
        assertThat(received.getBodyLength()).isEqualTo(large.length);
        assertThat(received.readBytes(got)).isEqualTo(large.length);
        assertThat(got).isEqualTo(large);
    }

    @Test
    @Spec("JMS 3.1 MessageProducer.send")
    void shouldNameTheLimitOfATooLargeMessageAndGoOn() throws Exception {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[7 << 20]);
        assertThatThrownBy(() -> producer.send(message))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("maxMessageSize")
                .hasMessageContaining(Integer.toString(6 << 20));
        assertThat(roundTrip(session.createTextMessage("fine")).getText()).isEqualTo("fine");
        try (Session transacted = connect().createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer other = transacted.createProducer(queue);
            other.send(transacted.createTextMessage("kept"));
            assertThatThrownBy(() -> other.send(message)).isInstanceOf(JMSException.class);
            transacted.commit();
        }
        assertThat(texts(consumer, 1)).containsExactly("kept");
    }

    // ---- headers and properties

    @Test
    @Spec("JMS 3.1 §3.4")
    void shouldSetTheHeadersOfASend() throws Exception {
        long before = System.currentTimeMillis();
        TextMessage message = session.createTextMessage("a");
        message.setJMSType("a type");
        message.setJMSCorrelationID("a correlation");
        message.setJMSPriority(1);
        message.setJMSExpiration(5);
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSMessageID("ID:overwritten");
        producer.send(message, DeliveryMode.PERSISTENT, 7, 60_000);
        long after = System.currentTimeMillis();
        Message received = receive(consumer);
        for (Message each : List.of(message, received)) {
            assertThat(each.getJMSMessageID()).startsWith("ID:").doesNotContain("overwritten");
            assertThat(each.getJMSTimestamp()).isBetween(before, after);
            assertThat(each.getJMSDeliveryTime()).isBetween(before, after);
            assertThat(each.getJMSExpiration()).isBetween(before + 60_000, after + 60_000);
            assertThat(each.getJMSPriority()).isEqualTo(7);
            assertThat(each.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(each.getJMSDestination()).isEqualTo(queue);
            assertThat(each.getJMSType()).isEqualTo("a type");
            assertThat(each.getJMSCorrelationID()).isEqualTo("a correlation");
            assertThat(each.getJMSReplyTo()).isNull();
        }
        assertThat(received.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
        assertThat(received.getJMSRedelivered()).isFalse();
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    @Spec("JMS 3.1 §3.4: hints and defaults")
    void shouldSendWithDefaultsAndWithoutWhatIsDisabled() throws Exception {
        Message plain = roundTrip(session.createMessage());
        assertThat(plain.getJMSPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
        assertThat(plain.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(plain.getJMSExpiration()).isZero();
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setPriority(0);
        producer.setDisableMessageTimestamp(true);
        Message hinted = roundTrip(session.createMessage());
        assertThat(hinted.getJMSPriority()).isZero();
        assertThat(hinted.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(hinted.getJMSTimestamp()).isZero();
        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setDeliveryMode(3)).isInstanceOf(JMSException.class);
    }

    @Test
    @Spec("JMS 3.1 §3.4.5, §3.4.6")
    void shouldCarryCorrelationBytesAndEveryKindOfReplyDestination() throws Exception {
        byte[] id = {0, -1, 5, 127};
        Message message = session.createMessage();
        message.setJMSCorrelationIDAsBytes(id);
        assertThat(roundTrip(message).getJMSCorrelationIDAsBytes()).isEqualTo(id);
        for (Destination reply :
                List.of(
                        newQueue(),
                        newTopic(),
                        session.createTemporaryQueue(),
                        session.createTemporaryTopic())) {
            Message request = session.createMessage();
            request.setJMSReplyTo(reply);
            Destination received = roundTrip(request).getJMSReplyTo();
            assertThat(received).isEqualTo(reply);
            producerTo(received).close();
        }
    }

    private MessageProducer producerTo(Destination destination) throws JMSException {
        MessageProducer to = session.createProducer(destination);
        to.send(session.createMessage());
        return to;
    }

    @Test
    @Spec("JMS 3.1 §3.5")
    void shouldCarryPropertiesOfAllTypesReadOnly() throws Exception {
        Map<String, Object> properties = new HashMap<>();
        properties.put("boolean", true);
        properties.put("byte", (byte) 1);
        properties.put("short", (short) 2);
        properties.put("int", 3);
        properties.put("long", 4L);
        properties.put("float", 5.5f);
        properties.put("double", 6.5d);
        properties.put("string", "\u00e4\u20ac");
        properties.put("JMSXGroupID", "g");
        properties.put("JMSXGroupSeq", 9);
        Message message = session.createTextMessage("body");
        for (Map.Entry<String, Object> each : properties.entrySet()) {
            message.setObjectProperty(each.getKey(), each.getValue());
        }
        TextMessage received = (TextMessage) roundTrip(message);
        assertThat(namesIn(received.getPropertyNames()))
                .containsAll(properties.keySet())
                .contains("JMSXDeliveryCount")
                .hasSize(properties.size() + 1);
        for (Map.Entry<String, Object> each : properties.entrySet()) {
            assertThat(received.getObjectProperty(each.getKey())).isEqualTo(each.getValue());
        }
        assertThatThrownBy(() -> received.setIntProperty("more", 1))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setText("changed"))
                .isInstanceOf(MessageNotWriteableException.class);
        received.clearProperties();
        received.clearBody();
        received.setText("changed");
        assertThat(roundTrip(received).getText()).as("sent on").isEqualTo("changed");
    }

    @Test
    @Spec("JMS 3.1 §3.9: a message may be sent again and changed after the send")
    void shouldTakeAMessageAsItIsWhenSent() throws Exception {
        TextMessage message = session.createTextMessage("one");
        producer.send(message);
        String first = message.getJMSMessageID();
        message.setText("two");
        message.setStringProperty("p", "v");
        producer.send(message);
        assertThat(message.getJMSMessageID()).isNotEqualTo(first);
        Message one = receive(consumer);
        assertThat(text(one)).isEqualTo("one");
        assertThat(one.propertyExists("p")).isFalse();
        assertThat(text(receive(consumer))).isEqualTo("two");
    }

    // ---- expiration

    @Test
    @Spec("JMS 3.1 §3.4.9")
    void shouldNotDeliverWhatHasExpired() throws Exception {
        consumer.close();
        producer.setTimeToLive(1);
        producer.send(session.createTextMessage("short-lived"));
        producer.send(session.createTextMessage("short-lived too"));
        producer.setTimeToLive(0);
        producer.send(session.createTextMessage("stays"));
        long sent = System.currentTimeMillis();
        await().until(() -> System.currentTimeMillis() > sent + 2);
        assertThat(drain(queue, 1)).containsExactly("stays#1");
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    @Spec("JMS 3.1 §3.4.9: nor what expires in a prefetch buffer")
    void shouldNotDeliverWhatExpiresWhileItIsPrefetched() throws Exception {
        producer.send(session.createTextMessage("first"));
        producer.send(session.createTextMessage("expires"), DeliveryMode.PERSISTENT, 4, 300);
        producer.send(session.createTextMessage("last"));
        assertThat(text(receive(consumer))).isEqualTo("first");
        long taken = System.currentTimeMillis();
        await().until(() -> System.currentTimeMillis() > taken + 310);
        assertThat(texts(consumer, 1)).containsExactly("last");
        session.close();
        assertThat(drain(queue)).isEmpty();
    }

    // ---- foreign messages

    @Test
    @Spec("JMS 3.1 §3.12")
    void shouldSendAMessageOfAnotherProviderAndWriteItsHeadersBack() throws Exception {
        Map<String, Object> setters = new HashMap<>();
        TextMessage foreign =
                (TextMessage)
                        Proxy.newProxyInstance(
                                MessageIT.class.getClassLoader(),
                                new Class<?>[] {TextMessage.class},
                                (proxy, method, arguments) -> {
                                    String name = method.getName();
                                    if (name.startsWith("set")) {
                                        setters.put(name, arguments[0]);
                                        return null;
                                    }
                                    return switch (name) {
                                        case "getText" -> "foreign";
                                        case "getJMSType" -> "foreign type";
                                        case "getJMSCorrelationID" -> "foreign id";
                                        case "getPropertyNames" ->
                                                Collections.enumeration(List.of("p"));
                                        case "getObjectProperty" -> 5;
                                        case "getJMSReplyTo", "getJMSCorrelationIDAsBytes" -> null;
                                        case "toString" -> "a foreign message";
                                        default -> throw new UnsupportedOperationException(name);
                                    };
                                });
        producer.send(foreign, DeliveryMode.NON_PERSISTENT, 3, 50_000);
        TextMessage received = (TextMessage) receive(consumer);
        assertThat(received.getText()).isEqualTo("foreign");
        assertThat(received.getJMSType()).isEqualTo("foreign type");
        assertThat(received.getJMSCorrelationID()).isEqualTo("foreign id");
        assertThat(received.getIntProperty("p")).isEqualTo(5);
        assertThat(setters)
                .containsEntry("setJMSMessageID", received.getJMSMessageID())
                .containsEntry("setJMSTimestamp", received.getJMSTimestamp())
                .containsEntry("setJMSExpiration", received.getJMSExpiration())
                .containsEntry("setJMSDestination", queue)
                .containsEntry("setJMSPriority", 3)
                .containsEntry("setJMSDeliveryMode", DeliveryMode.NON_PERSISTENT)
                .containsEntry("setJMSDeliveryTime", received.getJMSDeliveryTime());
    }

    @Test
    @Spec("JMS 3.1 Message.getBody, isBodyAssignableTo")
    void shouldGiveBodiesByType() throws Exception {
        Message text = roundTrip(session.createTextMessage("t"));
        assertThat(text.isBodyAssignableTo(String.class)).isTrue();
        assertThat(text.getBody(String.class)).isEqualTo("t");
        assertThatThrownBy(() -> text.getBody(byte[].class))
                .isInstanceOf(MessageFormatException.class);
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes("b".getBytes(StandardCharsets.UTF_8));
        assertThat(roundTrip(bytes).getBody(byte[].class)).containsExactly('b');
        MapMessage map = session.createMapMessage();
        map.setInt("i", 1);
        assertThat(roundTrip(map).getBody(Map.class)).isEqualTo(Map.of("i", 1));
    }
}
