package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §8.3.1 and §8.3.2: subscriptions that end with their consumers. */
class NonDurableSubscriptionIT extends ConformanceTest {
    private Session session;
    private Topic topic;

    @BeforeEach
    void connectToATopic() throws JMSException {
        session = session();
        topic = newTopic();
    }

    private void sendColored(String... colors) throws JMSException {
        MessageProducer producer = session.createProducer(topic);
        for (String color : colors) {
            Message message = session.createTextMessage(color);
            message.setStringProperty("color", color);
            producer.send(message);
        }
        producer.close();
    }

    // ---- unshared

    @Test
    @Spec({"8.3.1", "8.3"})
    void shouldMakeASubscriptionForEachConsumer() throws JMSException {
        MessageConsumer one = session.createConsumer(topic);
        MessageConsumer other = session.createConsumer(topic);
        JMSConsumer ofContext = context().createConsumer(topic);
        send(topic, "a");

        assertThat(texts(one, 1)).containsExactly("a");
        assertThat(texts(other, 1)).containsExactly("a");
        assertThat(ofContext.receiveBody(String.class, PATIENCE_MS)).isEqualTo("a");
    }

    @Test
    @Spec("8.3.1")
    void shouldEndTheSubscriptionWithItsConsumer() throws JMSException {
        MessageConsumer first = session.createConsumer(topic);
        send(topic, "undelivered");
        first.close();
        send(topic, "missed");
        MessageConsumer second = session.createConsumer(topic);
        send(topic, "new");

        assertThat(texts(second, 1)).containsExactly("new");
    }

    @Test
    @Spec({"8.3.1", "3.8", "8.1"})
    void shouldAddWhatIsSelectedOnly() throws JMSException {
        MessageConsumer blue = session.createConsumer(topic, "color = 'blue'");
        sendColored("red", "blue", "green", "blue");

        assertThat(texts(blue, 2)).containsExactly("blue", "blue");
        assertThat(blue.receiveNoWait()).isNull();
    }

    @Test
    @Spec("8.3.1")
    void shouldNotAddOwnMessagesIfNotLocal() throws JMSException {
        MessageConsumer noLocal = session.createConsumer(topic, null, true);
        MessageConsumer local = session.createConsumer(topic, null, false);
        send(session, topic, "own");
        send(topic, "of others");

        assertThat(texts(noLocal, 1)).containsExactly("of others");
        assertThat(texts(local, 2)).containsExactly("own", "of others");
    }

    @Test
    @Spec({"8.3.1", "2.8"})
    void shouldNotAddOwnMessagesIfNotLocalInContexts() {
        JMSContext context = context();
        JMSConsumer noLocal = context.createConsumer(topic, "", true);
        context.createProducer().send(topic, "own");
        send(topic, "of others");

        assertThat(noLocal.receiveBody(String.class, PATIENCE_MS)).isEqualTo("of others");
    }

    @Test
    @Spec({"8.3.1", "2.9"})
    void shouldSubscribeWithTheTopicApi() throws JMSException {
        var connection = closedLater(provider().topicConnectionFactory().createTopicConnection());
        connection.start();
        TopicSession topics = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicSubscriber subscriber = topics.createSubscriber(topic, "color = 'blue'", true);
        MessageConsumer consumer = topics.createConsumer(topic);
        assertThat(subscriber.getNoLocal()).isTrue();
        assertThat(subscriber.getTopic()).isEqualTo(topic);
        assertThat(subscriber.getMessageSelector()).isEqualTo("color = 'blue'");
        send(topics, topic, "own");
        sendColored("red", "blue");

        assertThat(texts(subscriber, 1)).containsExactly("blue");
        assertThat(texts(consumer, 3)).containsExactly("own", "red", "blue");
    }

    // ---- shared

    @Test
    @Spec("8.3.2")
    void shouldGiveEachMessageToOneOfTheConsumers() throws JMSException {
        String name = newName();
        List<MessageConsumer> consumers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            consumers.add(session().createSharedConsumer(topic, name));
        }
        String[] sent = new String[30];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = "m" + i;
        }
        send(topic, sent);

        List<String> received = new ArrayList<>();
        for (MessageConsumer consumer : consumers) {
            received.addAll(rest(consumer));
            consumer.close();
        }
        // What a closed one had not received went to the next, or was received by an earlier one.
        assertThat(received).containsExactlyInAnyOrder(sent);
    }

    @Test
    @Spec({"8.3.2", "2.8"})
    void shouldShareThroughTheSimplifiedApi() {
        String name = newName();
        JMSConsumer one = context().createSharedConsumer(topic, name);
        JMSConsumer other = context().createSharedConsumer(topic, name, null);
        send(topic, "a");

        String first = one.receiveBody(String.class, BRIEFLY_MS);
        String second = other.receiveBody(String.class, first == null ? PATIENCE_MS : BRIEFLY_MS);
        assertThat(List.of(String.valueOf(first), String.valueOf(second)))
                .containsExactlyInAnyOrder("a", "null");
    }

    @Test
    @Spec("8.3.2")
    void shouldEndTheSubscriptionWithItsLastConsumer() throws JMSException {
        String name = newName();
        MessageConsumer one = session.createSharedConsumer(topic, name);
        MessageConsumer other = session().createSharedConsumer(topic, name);
        one.close();
        send(topic, "kept");
        assertThat(texts(other, 1)).containsExactly("kept");
        send(topic, "lost");
        other.close();
        send(topic, "missed");
        MessageConsumer again = session.createSharedConsumer(topic, name);
        send(topic, "new");

        assertThat(texts(again, 1)).containsExactly("new");
    }

    @Test
    @Spec({"8.3.2", "6.1.2"})
    void shouldTellSubscriptionsApartByClientId() throws JMSException {
        String name = newName();
        MessageConsumer one = connect(newName()).createSession().createSharedConsumer(topic, name);
        MessageConsumer other =
                connect(newName()).createSession().createSharedConsumer(topic, name);
        MessageConsumer without = session.createSharedConsumer(topic, name);
        send(topic, "a");

        assertThat(texts(one, 1)).containsExactly("a");
        assertThat(texts(other, 1)).containsExactly("a");
        assertThat(texts(without, 1)).containsExactly("a");
    }

    @Test
    @Spec("8.3.2")
    void shouldRefuseAnotherTopicOrSelectorWhileInUse() throws JMSException {
        String name = newName();
        MessageConsumer first = session.createSharedConsumer(topic, name, "color = 'blue'");
        Session other = session();

        assertThatThrownBy(() -> other.createSharedConsumer(newTopic(), name, "color = 'blue'"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> other.createSharedConsumer(topic, name, "color = 'red'"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> other.createSharedConsumer(topic, name))
                .isInstanceOf(JMSException.class);
        JMSContext context = context();
        assertThatThrownBy(() -> context.createSharedConsumer(topic, name, "color = 'red'"))
                .isInstanceOf(JMSRuntimeException.class);
        MessageConsumer same = other.createSharedConsumer(topic, name, "color = 'blue'");
        first.close();
        sendColored("red", "blue");
        assertThat(texts(same, 1)).containsExactly("blue");
    }

    @Test
    @Spec("8.3.2")
    void shouldTakeAnotherTopicAndSelectorWhenUnused() throws JMSException {
        String name = newName();
        session.createSharedConsumer(topic, name, "color = 'blue'").close();
        Topic otherTopic = newTopic();
        MessageConsumer again = session.createSharedConsumer(otherTopic, name);
        send(otherTopic, "a");

        assertThat(texts(again, 1)).containsExactly("a");
    }

    @Test
    @Spec({"8.3.2", "8.3.3", "8.3.4"})
    void shouldKeepSharedAndDurableSubscriptionsOfOneNameApart() throws JMSException {
        String name = newName();
        Session named = connect(newName()).createSession();
        MessageConsumer durable = named.createDurableConsumer(topic, name);
        MessageConsumer shared = named.createSharedConsumer(topic, name);
        send(topic, "a");
        assertThat(texts(durable, 1)).containsExactly("a");
        assertThat(texts(shared, 1)).containsExactly("a");

        MessageConsumer sharedDurable = session.createSharedDurableConsumer(topic, name);
        MessageConsumer withoutId = session.createSharedConsumer(topic, name);
        send(topic, "b");
        assertThat(texts(sharedDurable, 1)).containsExactly("b");
        assertThat(texts(withoutId, 1)).containsExactly("b");
    }

    @Test
    @Spec({"8.3.2", "6.2.10"})
    void shouldRedeliverToAnotherConsumerWhatWasNotAcknowledged() throws JMSException {
        String name = newName();
        Session client = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer first = client.createSharedConsumer(topic, name);
        MessageConsumer second = session().createSharedConsumer(topic, name);
        send(topic, "a");
        Message message = first.receive(BRIEFLY_MS);
        if (message != null) {
            client.close();
            assertThat(described(receive(second))).isEqualTo("a#2R");
        } else {
            assertThat(described(receive(second))).isEqualTo("a#1");
        }
    }

    // ---- what cannot be

    @Test
    @Spec({"8.3", "8.1", "10.3"})
    void shouldNotSubscribeToNothing() {
        assertThatThrownBy(() -> session.createConsumer(null))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(null, newName()))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(null, newName()))
                .isInstanceOf(InvalidDestinationException.class);
        JMSContext context = context();
        assertThatThrownBy(() -> context.createConsumer(null))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThatThrownBy(() -> context.createSharedConsumer(null, newName()))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @Test
    @Spec({"8.3.2", "8.3.4"})
    void shouldNotShareWithoutAName() {
        assertThatThrownBy(() -> session.createSharedConsumer(topic, null))
                .isInstanceOfAny(JMSException.class, IllegalArgumentException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, null))
                .isInstanceOfAny(JMSException.class, IllegalArgumentException.class);
    }
}
