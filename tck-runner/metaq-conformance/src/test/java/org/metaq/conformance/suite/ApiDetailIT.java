package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Feature;
import org.metaq.conformance.Requires;
import org.metaq.conformance.Spec;

/** What the clauses leave to the documentation of the interfaces. */
class ApiDetailIT extends ConformanceTest {
    private Session session;
    private Queue queue;

    @BeforeEach
    void connectToAQueue() throws JMSException {
        session = session();
        queue = newQueue();
    }

    // ---- bodies

    @Test
    @Spec("3.11.3")
    void shouldReadEmptyBytesOfAStream() throws JMSException {
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(new byte[0]);
        stream.writeInt(7);
        StreamMessage received = (StreamMessage) sent(session, stream);
        byte[] two = new byte[2];

        assertThat(received.readBytes(two)).as("fewer than fit: the whole field").isZero();
        assertThat(received.readInt()).isEqualTo(7);
    }

    @Test
    @Spec("3.11.3")
    void shouldReadBytesOfAStreamThatFillTheArray() throws JMSException {
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(new byte[] {1, 2});
        stream.writeBytes(null);
        StreamMessage received = (StreamMessage) sent(session, stream);
        byte[] two = new byte[2];

        assertThat(received.readBytes(two)).isEqualTo(2);
        assertThat(received.readBytes(two)).as("the end of the field").isEqualTo(-1);
        assertThat(received.readBytes(two)).as("null").isEqualTo(-1);
    }

    @Test
    @Spec("3.11")
    void shouldCheckHowManyBytesAreRead() throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[] {1, 2, 3, 4});
        BytesMessage received = (BytesMessage) sent(session, message);
        byte[] four = new byte[4];

        assertThatThrownBy(() -> received.readBytes(four, -1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> received.readBytes(four, 5))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(received.readBytes(four, 3)).isEqualTo(3);
        assertThat(received.readBytes(four, 3)).isEqualTo(1);
        assertThat(four[0]).isEqualTo((byte) 4);
    }

    @Test
    @Spec("3.11")
    void shouldOverwriteEntriesOfMaps() throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setInt("a", 1);
        map.setString("a", "two");
        MapMessage received = (MapMessage) sent(session, map);

        assertThat(received.getObject("a")).isEqualTo("two");
        assertThat(namesIn(received.getMapNames())).containsExactly("a");
    }

    /** Has the interface, and cannot be written. */
    private static final class Unwritable implements Serializable {
        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) throws IOException {
            throw new IOException("cannot be written to " + out);
        }
    }

    @Test
    @Spec({"3.11", "10.3"})
    void shouldRefuseObjectsThatCannotBeWritten() {
        assertThatThrownBy(
                        () -> {
                            Message message = session.createObjectMessage(new Unwritable());
                            session.createProducer(queue).send(message);
                        })
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    @Spec({"3.11", "9.1"})
    void shouldCarryLargeBodies() throws JMSException {
        byte[] large = new byte[3_000_000];
        Arrays.fill(large, (byte) 7);
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(large);
        message.setStringProperty("color", "blue");
        session.createProducer(queue).send(message);

        Message received = receive(session.createConsumer(queue, "color = 'blue'"));

        assertThat(received.getBody(byte[].class)).isEqualTo(large);
    }

    // ---- producers

    @Test
    @Spec({"7.5", "3.5.4"})
    void shouldConvertPropertiesOfAJmsProducer() {
        JMSProducer producer =
                context().createProducer().setProperty("text", "12").setProperty("number", 7);

        assertThat(producer.getIntProperty("text")).isEqualTo(12);
        assertThat(producer.getByteProperty("text")).isEqualTo((byte) 12);
        assertThat(producer.getShortProperty("text")).isEqualTo((short) 12);
        assertThat(producer.getDoubleProperty("text")).isEqualTo(12.0);
        assertThat(producer.getFloatProperty("text")).isEqualTo(12.0f);
        assertThat(producer.getBooleanProperty("text")).isFalse();
        assertThat(producer.getStringProperty("number")).isEqualTo("7");
        assertThat(producer.getObjectProperty("number")).isEqualTo(7);
        assertThat(producer.getObjectProperty("missing")).isNull();
        assertThatThrownBy(() -> producer.getBooleanProperty("number"))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.getIntProperty("missing"))
                .isInstanceOf(NumberFormatException.class);
    }

    @Test
    @Spec("7.5")
    void shouldNotLetTheNamesOfPropertiesBeChanged() {
        Set<String> names = context().createProducer().setProperty("a", 1).getPropertyNames();

        assertThatThrownBy(() -> names.add("b")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(names::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @Spec("7.4")
    void shouldTellTheOptionsOfAJmsProducer() {
        JMSProducer producer =
                context()
                        .createProducer()
                        .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                        .setPriority(8)
                        .setTimeToLive(1000)
                        .setDeliveryDelay(2000)
                        .setDisableMessageID(true)
                        .setDisableMessageTimestamp(true)
                        .setJMSType("type")
                        .setJMSCorrelationID("id")
                        .setJMSReplyTo(queue);

        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(8);
        assertThat(producer.getTimeToLive()).isEqualTo(1000);
        assertThat(producer.getDeliveryDelay()).isEqualTo(2000);
        assertThat(producer.getDisableMessageID()).isTrue();
        assertThat(producer.getDisableMessageTimestamp()).isTrue();
        assertThat(producer.getJMSType()).isEqualTo("type");
        assertThat(producer.getJMSCorrelationID()).isEqualTo("id");
        assertThat(producer.getJMSReplyTo()).isEqualTo(queue);
    }

    @Test
    @Requires(Feature.CORRELATION_ID_AS_BYTES)
    @Spec({"7.6", "3.4.5"})
    void shouldSendACorrelationIdOfBytes() throws JMSException {
        byte[] id = "order 1".getBytes(StandardCharsets.UTF_8);
        JMSContext context = context();
        JMSProducer producer = context.createProducer().setJMSCorrelationIDAsBytes(id);
        assertThat(producer.getJMSCorrelationIDAsBytes()).isEqualTo(id);
        producer.send(queue, "a");

        assertThat(receive(session.createConsumer(queue)).getJMSCorrelationIDAsBytes())
                .isEqualTo(id);
    }

    @Test
    @Spec({"7.1", "6.2.9"})
    void shouldServeProducersOfManyDestinations() throws JMSException {
        MessageProducer anonymous = session.createProducer(null);
        List<Queue> queues = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Queue each = newQueue();
            queues.add(each);
            anonymous.send(each, session.createTextMessage("to " + i));
        }

        for (int i = 0; i < 20; i++) {
            MessageConsumer consumer = session.createConsumer(queues.get(i));
            assertThat(texts(consumer, 1)).containsExactly("to " + i);
            consumer.close();
        }
    }

    // ---- destinations and consumers

    @Test
    @Spec("6.2.2")
    void shouldNotLetOthersDeleteATemporaryQueue() throws JMSException {
        Session owner = session();
        TemporaryQueue temporary = owner.createTemporaryQueue();
        Message request = owner.createTextMessage("request");
        request.setJMSReplyTo(temporary);
        owner.createProducer(queue).send(request);
        Queue replyTo = (Queue) receive(session.createConsumer(queue)).getJMSReplyTo();

        send(session, replyTo, "reply");
        if (replyTo instanceof TemporaryQueue foreign) {
            assertThatThrownBy(foreign::delete).isInstanceOf(JMSException.class);
        }

        assertThat(texts(owner.createConsumer(temporary), 1)).containsExactly("reply");
    }

    @Test
    @Spec({"4.1.2", "8.2"})
    void shouldTakeNoLocalOnAQueueWithoutHarm() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue, null, false);
        send(session, queue, "a");

        assertThat(texts(consumer, 1)).containsExactly("a");
    }

    @Test
    @Spec({"6.2.10", "8.3.4"})
    void shouldGiveTheMessagesOfALostConsumerToItsSiblings() throws JMSException {
        Topic topic = newTopic();
        String name = newName();
        Session client = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer first = client.createSharedDurableConsumer(topic, name);
        send(topic, "a", "b");
        assertThat(texts(first, 2)).containsExactly("a", "b");
        MessageConsumer second = session.createSharedDurableConsumer(topic, name);
        assertThat(second.receiveNoWait()).isNull();

        client.close();

        List<String> got = new ArrayList<>();
        got.add(described(receive(second)));
        got.add(described(receive(second)));
        assertThat(got).containsExactly("a#2R", "b#2R");
    }

    @Test
    @Spec({"6.2.10", "6.2.9.1", "3.8"})
    void shouldRedeliverInOrderToASelectingConsumer() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 6; i++) {
            Message message = session.createTextMessage("m" + i);
            message.setIntProperty("i", i);
            producer.send(message);
        }
        Session transacted = session(Session.SESSION_TRANSACTED);
        MessageConsumer odd = transacted.createConsumer(queue, "i - i / 2 * 2 = 1");
        assertThat(texts(odd, 3)).containsExactly("m1", "m3", "m5");
        transacted.rollback();
        assertThat(texts(odd, 3)).containsExactly("m1", "m3", "m5");
        transacted.commit();

        assertThat(drain(queue)).containsExactly("m0", "m2", "m4");
    }

    @Test
    @Spec({"3.8", "8.3.4"})
    void shouldShareASelectingSubscription() throws JMSException {
        Topic topic = newTopic();
        String name = newName();
        MessageConsumer one = session.createSharedDurableConsumer(topic, name, "i > 2");
        MessageConsumer other = session().createSharedDurableConsumer(topic, name, "i > 2");
        MessageProducer producer = session.createProducer(topic);
        for (int i = 0; i < 6; i++) {
            Message message = session.createTextMessage("m" + i);
            message.setIntProperty("i", i);
            producer.send(message);
        }
        List<String> received = new ArrayList<>(rest(one));
        one.close();
        received.addAll(rest(other));

        assertThat(received).containsExactlyInAnyOrder("m3", "m4", "m5");
    }

    @Test
    @Requires(Feature.PRIORITY_ORDER)
    @Spec({"3.4.10", "6.2.9.2", "4.2.2"})
    void shouldDeliverExpeditedMessagesOfSubscriptionsFirst() throws JMSException {
        Topic topic = newTopic();
        Session named = connect(newName()).createSession();
        named.createDurableConsumer(topic, "sub").close();
        MessageProducer producer = session.createProducer(topic);
        for (int priority : new int[] {1, 9, 0, 8}) {
            producer.setPriority(priority);
            producer.send(session.createTextMessage("p" + priority));
        }

        List<String> received = texts(named.createDurableConsumer(topic, "sub"), 4);

        assertThat(received.subList(0, 2)).containsExactlyInAnyOrder("p9", "p8");
    }

    @Test
    @Spec({"6.2.7", "3.8"})
    void shouldSelectWhatIsCommittedLater() throws JMSException {
        MessageConsumer blue = session.createConsumer(queue, "color = 'blue'");
        Session transacted = session(Session.SESSION_TRANSACTED);
        MessageProducer producer = transacted.createProducer(queue);
        for (String color : new String[] {"red", "blue"}) {
            Message message = transacted.createTextMessage(color);
            message.setStringProperty("color", color);
            producer.send(message);
        }
        assertThat(blue.receiveNoWait()).isNull();
        transacted.commit();

        assertThat(texts(blue, 1)).containsExactly("blue");
        blue.close();
        assertThat(drain(queue)).containsExactly("red");
    }

    @Test
    @Spec({"8.5", "8.6", "2.8"})
    void shouldReceiveMessagesAndBodiesInTurn() throws JMSException {
        JMSContext context = context();
        context.createProducer().send(queue, "a").send(queue, Map.of("k", "b")).send(queue, "c");
        JMSConsumer consumer = context.createConsumer(queue);

        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("a");
        assertThat((Object) consumer.receiveBody(Map.class, PATIENCE_MS))
                .isEqualTo(Map.of("k", "b"));
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("c");
    }

    @Test
    @Spec({"6.2.10", "6.2.11"})
    void shouldAcknowledgeOnlyWhatWasDelivered() throws JMSException {
        send(queue, "a", "b", "c");
        Session client = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        Message first = receive(consumer);
        first.acknowledge();
        assertThat(texts(consumer, 1)).containsExactly("b");
        first.acknowledge();
        client.close();

        assertThat(drain(queue)).containsExactly("c");
    }
}
