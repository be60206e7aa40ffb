package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §7 but for asynchronous sends: producers, all forms of send, and their options. */
class SendIT extends ConformanceTest {
    private static final long HOUR_MS = 3_600_000;

    private Session session;
    private Queue queue;

    @BeforeEach
    void connectToAQueue() throws JMSException {
        session = session();
        queue = newQueue();
    }

    private Message received() throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            return receive(consumer);
        }
    }

    // ---- producers

    @Test
    @Spec({"7.1", "7.2"})
    void shouldSendToTheDestinationOfTheProducer() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        assertThat(producer.getDestination()).isEqualTo(queue);
        producer.send(session.createTextMessage("a"));
        producer.send(session.createTextMessage("b"), DeliveryMode.NON_PERSISTENT, 2, HOUR_MS);

        assertThat(text(received())).isEqualTo("a");
        Message second = received();
        assertThat(second.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(second.getJMSPriority()).isEqualTo(2);
        assertThat(second.getJMSExpiration()).isPositive();
    }

    @Test
    @Spec({"7.1", "7.2"})
    void shouldSendToTheDestinationOfTheSend() throws JMSException {
        MessageProducer producer = session.createProducer(null);
        assertThat(producer.getDestination()).isNull();
        producer.send(queue, session.createTextMessage("a"));
        producer.send(queue, session.createTextMessage("b"), DeliveryMode.PERSISTENT, 4, 0);

        assertThat(text(received())).isEqualTo("a");
        assertThat(text(received())).isEqualTo("b");
    }

    @Test
    @Spec({"7.1", "10.3"})
    void shouldNeedADestinationOnceAndOnceOnly() throws JMSException {
        Message message = session.createMessage();
        MessageProducer anonymous = session.createProducer(null);
        MessageProducer fixed = session.createProducer(queue);

        assertThatThrownBy(() -> anonymous.send(message))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> anonymous.send(null, message))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> fixed.send(queue, message))
                .isInstanceOf(UnsupportedOperationException.class);
        JMSContext context = context();
        assertThatThrownBy(() -> context.createProducer().send((Destination) null, "a"))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @Test
    @Spec({"7.1", "10.3"})
    void shouldNotSendNothing() throws JMSException {
        MessageProducer producer = session.createProducer(queue);

        assertThatThrownBy(() -> producer.send(null)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> context().createProducer().send(queue, (Message) null))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @Test
    @Spec({"7.1", "10.3"})
    void shouldRefuseDestinationsOfOthers() {
        Destination foreign = ForeignMessage.destination();

        assertThatThrownBy(() -> session.createProducer(foreign))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createConsumer(foreign))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> context().createConsumer(foreign))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @Test
    @Spec({"7.2", "2.9"})
    void shouldSendWithTheQueueApi() throws JMSException {
        QueueSession queues =
                closedLater(provider().queueConnectionFactory().createQueueConnection())
                        .createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueSender sender = queues.createSender(queue);
        assertThat(sender.getQueue()).isEqualTo(queue);
        sender.send(queues.createTextMessage("a"));
        sender.send(queues.createTextMessage("b"), DeliveryMode.PERSISTENT, 4, 0);
        QueueSender anonymous = queues.createSender(null);
        anonymous.send(queue, queues.createTextMessage("c"));
        anonymous.send(queue, queues.createTextMessage("d"), DeliveryMode.PERSISTENT, 4, 0);

        assertThat(drain(queue)).containsExactly("a", "b", "c", "d");
    }

    @Test
    @Spec({"7.2", "2.9"})
    void shouldPublishWithTheTopicApi() throws JMSException {
        Topic topic = newTopic();
        MessageConsumer consumer = session.createConsumer(topic);
        TopicSession topics =
                closedLater(provider().topicConnectionFactory().createTopicConnection())
                        .createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicPublisher publisher = topics.createPublisher(topic);
        assertThat(publisher.getTopic()).isEqualTo(topic);
        publisher.publish(topics.createTextMessage("a"));
        publisher.publish(topics.createTextMessage("b"), DeliveryMode.PERSISTENT, 4, 0);
        TopicPublisher anonymous = topics.createPublisher(null);
        anonymous.publish(topic, topics.createTextMessage("c"));
        anonymous.publish(topic, topics.createTextMessage("d"), DeliveryMode.PERSISTENT, 4, 0);

        assertThat(texts(consumer, 4)).containsExactly("a", "b", "c", "d");
    }

    @Test
    @Spec({"7.2", "2.8"})
    void shouldSendBodiesOfEachKind() throws JMSException {
        JMSProducer producer = context().createProducer();
        producer.send(queue, "text");
        producer.send(queue, Map.of("i", 7));
        producer.send(queue, new byte[] {1, 2});
        producer.send(queue, (Serializable) 7L);
        producer.send(queue, context().createTextMessage("message"));

        assertThat(received().getBody(String.class)).isEqualTo("text");
        assertThat(((MapMessage) received()).getInt("i")).isEqualTo(7);
        assertThat(((BytesMessage) received()).getBodyLength()).isEqualTo(2);
        assertThat(((ObjectMessage) received()).getObject()).isEqualTo(7L);
        assertThat(text(received())).isEqualTo("message");
    }

    @Test
    @Spec("7.2")
    void shouldSendNullBodies() throws JMSException {
        JMSProducer producer = context().createProducer();
        producer.send(queue, (String) null);
        producer.send(queue, (Map<String, Object>) null);
        producer.send(queue, (byte[]) null);
        producer.send(queue, (Serializable) null);

        assertThat(((TextMessage) received()).getText()).isNull();
        assertThat(namesIn(((MapMessage) received()).getMapNames())).isEmpty();
        assertThat(((BytesMessage) received()).getBodyLength()).isZero();
        assertThat(((ObjectMessage) received()).getObject()).isNull();
    }

    // ---- options

    @Test
    @Spec("7.4")
    void shouldHaveDefaults() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        JMSProducer simple = context().createProducer();

        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(4);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThat(producer.getDisableMessageID()).isFalse();
        assertThat(producer.getDisableMessageTimestamp()).isFalse();
        assertThat(simple.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(simple.getPriority()).isEqualTo(4);
        assertThat(simple.getTimeToLive()).isZero();
        assertThat(simple.getDeliveryDelay()).isZero();
        assertThat(simple.getAsync()).isNull();
        assertThat(simple.getJMSReplyTo()).isNull();
        assertThat(simple.getPropertyNames()).isEmpty();
    }

    @Test
    @Spec({"7.4", "7.7", "7.8"})
    void shouldOverrideTheProducersOptionsByThoseOfTheSend() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        producer.setPriority(1);
        producer.setTimeToLive(HOUR_MS);
        producer.send(session.createTextMessage("a"), DeliveryMode.NON_PERSISTENT, 8, 0);
        producer.send(session.createTextMessage("b"));

        MessageConsumer consumer = session.createConsumer(queue, "JMSPriority = 8");
        Message overridden = receive(consumer);
        consumer.close();
        assertThat(overridden.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(overridden.getJMSPriority()).isEqualTo(8);
        assertThat(overridden.getJMSExpiration()).isZero();
        Message plain = received();
        assertThat(plain.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(plain.getJMSPriority()).isEqualTo(1);
        assertThat(plain.getJMSExpiration()).isPositive();
    }

    @Test
    @Spec({"7.4", "10.2"})
    void shouldRefuseImpossibleOptions() throws JMSException {
        MessageProducer producer = session.createProducer(queue);

        assertThatThrownBy(() -> producer.setDeliveryMode(3)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setPriority(-1)).isInstanceOf(JMSException.class);
        JMSProducer simple = context().createProducer();
        assertThatThrownBy(() -> simple.setPriority(10))
                .isInstanceOf(jakarta.jms.JMSRuntimeException.class);
        assertThatThrownBy(() -> simple.setDeliveryMode(3))
                .isInstanceOf(jakarta.jms.JMSRuntimeException.class);
    }

    @Test
    @Spec({"7.7", "7.8", "3.4.11"})
    void shouldNotTakeOptionsFromTheMessage() throws JMSException {
        Message message = session.createMessage();
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSExpiration(System.currentTimeMillis() - 1000);
        message.setJMSPriority(9);
        message.setJMSDeliveryTime(System.currentTimeMillis() + HOUR_MS);
        session.createProducer(queue).send(message);

        Message received = received();
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(received.getJMSExpiration()).isZero();
        assertThat(received.getJMSPriority()).isEqualTo(4);
    }

    @Test
    @Spec({"7.8", "4.2.2"})
    void shouldExpireMessagesOfSubscriptions() throws JMSException {
        Topic topic = newTopic();
        Session named = connect(newName()).createSession();
        named.createDurableConsumer(topic, "sub").close();
        MessageProducer producer = session.createProducer(topic);
        producer.setTimeToLive(1);
        Message message = session.createTextMessage("short");
        producer.send(message);
        producer.setTimeToLive(0);
        producer.send(session.createTextMessage("long"));
        HeadersIT.awaitTime(message.getJMSExpiration() + 50);

        assertThat(texts(named.createDurableConsumer(topic, "sub"), 1)).containsExactly("long");
    }

    @Test
    @Spec("7.9")
    void shouldNotDeliverBeforeTheDelay() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(HOUR_MS);
        assertThat(producer.getDeliveryDelay()).isEqualTo(HOUR_MS);
        producer.send(session.createTextMessage("in an hour"));
        producer.setDeliveryDelay(150);
        Message soon = session.createTextMessage("soon");
        producer.send(soon);
        MessageConsumer consumer = session.createConsumer(queue);

        assertThat(text(receive(consumer))).isEqualTo("soon");
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(soon.getJMSDeliveryTime());
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Spec({"7.9", "2.8"})
    void shouldDelayThroughTheSimplifiedApi() {
        JMSContext context = context();
        long before = System.currentTimeMillis();
        context.createProducer().setDeliveryDelay(150).send(queue, "a");

        assertThat(context.createConsumer(queue).receiveBody(String.class, PATIENCE_MS))
                .isEqualTo("a");
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(before + 150);
    }

    @Test
    @Spec("7.9")
    void shouldAddDelayedMessagesToSubscriptionsOfTheTimeOfTheSend() throws JMSException {
        Topic topic = newTopic();
        MessageConsumer early = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        producer.setDeliveryDelay(200);
        producer.send(session.createTextMessage("delayed"));
        MessageConsumer late = session.createConsumer(topic);
        assertThat(texts(early, 1)).containsExactly("delayed");
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("last"));

        assertThat(texts(late, 1)).containsExactly("last");
        assertThat(texts(early, 1)).containsExactly("last");
    }

    @Test
    @Spec({"7.9", "6.2.7"})
    void shouldDelayFromTheSendAndNotFromTheCommit() throws JMSException {
        Session transacted = session(Session.SESSION_TRANSACTED);
        MessageProducer producer = transacted.createProducer(queue);
        producer.setDeliveryDelay(100);
        Message message = transacted.createTextMessage("a");
        producer.send(message);
        HeadersIT.awaitTime(message.getJMSDeliveryTime());
        transacted.commit();

        assertThat(text(received())).isEqualTo("a");
    }

    // ---- what a JMSProducer sets

    @Test
    @Spec("7.5")
    void shouldOverrideProperties() throws JMSException {
        Message message = session.createTextMessage("a");
        message.setIntProperty("p", 1);
        message.setIntProperty("q", 2);
        context().createProducer().setProperty("p", "three").send(queue, message);

        Message received = received();
        assertThat(received.getObjectProperty("p")).isEqualTo("three");
        assertThat(received.getIntProperty("q")).isEqualTo(2);
    }

    @Test
    @Spec("7.5")
    void shouldSetPropertiesOfEachType() throws JMSException {
        JMSProducer producer =
                context()
                        .createProducer()
                        .setProperty("z", true)
                        .setProperty("b", (byte) 1)
                        .setProperty("s", (short) 2)
                        .setProperty("i", 3)
                        .setProperty("l", 4L)
                        .setProperty("f", 5.5f)
                        .setProperty("d", 6.5)
                        .setProperty("t", "seven")
                        .setProperty("o", (Object) 8);
        assertThat(producer.getPropertyNames())
                .containsExactlyInAnyOrder("z", "b", "s", "i", "l", "f", "d", "t", "o");
        assertThat(producer.propertyExists("z")).isTrue();
        assertThat(producer.getLongProperty("i")).isEqualTo(3);
        producer.send(queue, "body");

        Message received = received();
        assertThat(received.getObjectProperty("z")).isEqualTo(true);
        assertThat(received.getObjectProperty("b")).isEqualTo((byte) 1);
        assertThat(received.getObjectProperty("s")).isEqualTo((short) 2);
        assertThat(received.getObjectProperty("i")).isEqualTo(3);
        assertThat(received.getObjectProperty("l")).isEqualTo(4L);
        assertThat(received.getObjectProperty("f")).isEqualTo(5.5f);
        assertThat(received.getObjectProperty("d")).isEqualTo(6.5);
        assertThat(received.getObjectProperty("t")).isEqualTo("seven");
        assertThat(received.getObjectProperty("o")).isEqualTo(8);
    }

    @Test
    @Spec({"7.5", "3.5.7", "3.5.1"})
    void shouldClearPropertiesAndRefuseBadOnes() throws JMSException {
        JMSProducer producer = context().createProducer().setProperty("p", 1);
        producer.clearProperties().send(queue, "a");

        assertThat(received().propertyExists("p")).isFalse();
        assertThatThrownBy(() -> producer.setProperty("", 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.setProperty("p", (Object) List.of()))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @Test
    @Spec("7.6")
    void shouldOverrideHeaders() throws JMSException {
        Queue replyTo = newQueue();
        Message message = session.createTextMessage("a");
        message.setJMSType("one");
        message.setJMSCorrelationID("one");
        message.setJMSReplyTo(queue);
        context()
                .createProducer()
                .setJMSType("two")
                .setJMSCorrelationID("two")
                .setJMSReplyTo(replyTo)
                .send(queue, message)
                .send(queue, "body");

        for (int i = 0; i < 2; i++) {
            Message received = received();
            assertThat(received.getJMSType()).isEqualTo("two");
            assertThat(received.getJMSCorrelationID()).isEqualTo("two");
            assertThat(received.getJMSReplyTo()).isEqualTo(replyTo);
        }
    }

    @Test
    @Spec({"7.6", "3.4.11"})
    void shouldKeepTheHeadersOfTheMessageOtherwise() throws JMSException {
        Message message = session.createTextMessage("a");
        message.setJMSType("one");
        message.setJMSCorrelationID("one");
        context().createProducer().send(queue, message);

        Message received = received();
        assertThat(received.getJMSType()).isEqualTo("one");
        assertThat(received.getJMSCorrelationID()).isEqualTo("one");
    }

    @Test
    @Spec("7.10")
    void shouldReturnItselfFromEachSetter() {
        JMSProducer producer = context().createProducer();

        assertThat(
                        List.of(
                                producer.setAsync(null),
                                producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT),
                                producer.setDeliveryDelay(0),
                                producer.setDisableMessageID(true),
                                producer.setDisableMessageTimestamp(true),
                                producer.setPriority(3),
                                producer.setTimeToLive(10_000),
                                producer.setJMSCorrelationID("id"),
                                producer.setJMSReplyTo(queue),
                                producer.setJMSType("type"),
                                producer.setProperty("foo", "bar"),
                                producer.clearProperties(),
                                producer.send(queue, "body")))
                .allSatisfy(same -> assertThat(same).isSameAs(producer));
    }
}
